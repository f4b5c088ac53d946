"""How arguments are passed: by value, by reference or by substitution (D20, D21)."""

from cpl.semantics import core


def referred(place: core.Expression) -> core.Expression:
    """The place that an expression means as a value."""
    match place:
        case core.Contents(reference=reference):
            return reference
        case core.Conditional(arms=arms, otherwise=otherwise, span=span):
            pairs = [(test, referred(each)) for test, each in arms]
            return core.Conditional(tuple(pairs), referred(otherwise), span=span)
        case _:
            return core.Reference(place, span=place.span)


def is_place(meant: core.Expression) -> bool:
    """Whether an expression means a place."""
    match meant:
        case core.Conditional(arms=arms, otherwise=otherwise):
            return all(is_place(each) for _, each in arms) and is_place(otherwise)
        case _:
            return isinstance(meant, core.Place)


def passed(mode: str, argument: core.Expression) -> core.Expression:
    """What stands for an argument, or for the reference to it, where it is passed in a mode of `core.Local.mode`."""
    is_thunk = mode in ("substitution", "place by substitution")
    return core.Lambda((), argument, by_place=True, span=argument.span) if is_thunk else argument
