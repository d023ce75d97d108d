"""The ground that everything stands on: errors, files, paths, archives, isolation, units, style, numbers as text."""
