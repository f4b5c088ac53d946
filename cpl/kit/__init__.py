"""The reproduction: what the compiled programs do, measured and compared; CPL in colour."""
