"""The workbench: a page that does in the browser what the command line does."""
