"""Type inference: values flow from where they are made to where something is needed of them."""
