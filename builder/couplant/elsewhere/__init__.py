"""The same system in other tools: SSP archives, exported folders, containers, HELICS."""
