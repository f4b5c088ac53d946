"""What goes wrong while CPL runs."""


class CplFault(Exception):
    """A fault of the running CPL program: NIL taken apart, a block without a result, values of the wrong kind."""


class NoValue(CplFault):
    """A place is read that has not been given a value."""


class TooDeep(CplFault):
    """The calls of the program nest deeper than this process allows: `allow_deep_recursion` makes room."""
