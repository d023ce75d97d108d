"""Written from coupling.toml by fmu_src/generator."""
