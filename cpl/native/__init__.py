"""Native modules: an optimised module with the types of its values, compiled to an extension by mypyc."""
