"""The compiler proper: from CPL to Python or C, a folder a stage, in the order in which a text passes them."""
