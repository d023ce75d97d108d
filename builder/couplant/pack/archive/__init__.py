"""The archive of an FMU: files, compression, identity."""
