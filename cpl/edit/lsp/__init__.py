"""The language server: `cpl.edit` over the Language Server Protocol."""
