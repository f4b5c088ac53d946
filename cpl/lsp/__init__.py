"""The language server: `cpl.editor` over the Language Server Protocol."""
