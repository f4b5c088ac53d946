"""The errors that a running CPL program raises."""


class CplFault(Exception):
    """An error in a running CPL program: the head of NIL, a block without a result, a value of the wrong type."""


class NoValue(CplFault):
    """A variable or member was read before it had a value."""


class TooDeep(CplFault):
    """The program recurses deeper than this process allows; `allow_deep_recursion` raises the limit."""
