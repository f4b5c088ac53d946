"""How arguments are passed: by value, by reference or by substitution (D20, D21)."""

from collections.abc import Callable

from cpl.semantics import core


def referred(meant: core.Expression, is_constant: Callable[[core.Expression], bool]) -> core.Expression:
    """The place of an expression as a value; of what is constant, one for reading; of what has none, a new one that
    holds its value (our choice).
    """
    match meant:
        case core.Contents(reference=reference):
            return reference
        case core.Conditional(arms=arms, otherwise=otherwise, span=span) if is_place(meant):
            pairs = [(test, referred(each, is_constant)) for test, each in arms]
            return core.Conditional(tuple(pairs), referred(otherwise, is_constant), span=span)
        case core.Local() | core.Global() | core.Host() if is_constant(meant):
            return core.ReadOnly(meant, span=meant.span)
        case _:
            return core.Reference(meant, span=meant.span)


def is_place(meant: core.Expression) -> bool:
    """Whether an expression means a place, or one of its arms does."""
    match meant:
        case core.Conditional(arms=arms, otherwise=otherwise):
            return any(is_place(each) for _, each in arms) or is_place(otherwise)
        case _:
            return isinstance(meant, core.Place)


def passed(mode: str, argument: core.Expression) -> core.Expression:
    """What stands for an argument, or for the reference to it, where it is passed in a mode of `core.Local.mode`."""
    is_thunk = mode in ("substitution", "place by substitution")
    return core.Lambda((), argument, by_place=True, span=argument.span) if is_thunk else argument
