"""The language server: `cpl.editors` over the Language Server Protocol."""
