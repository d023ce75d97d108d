"""The description of an FMU: variables, XML, pages, terminals."""
