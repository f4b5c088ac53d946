"""Types in the notation of 1967 (evidence T12): `(α ⇒ β, α list) ⇒ β list`. Shapes that have a name go by it."""

from collections.abc import Mapping, Sequence

from cpl.types.types import (
    NOTHING,
    ArrayOf,
    Basic,
    ByReference,
    BySubstitution,
    Either,
    FunctionOf,
    ListOf,
    Named,
    PointerTo,
    TupleOf,
    Type,
    Unknown,
)


def written(type: Type, names: Mapping[Type, str] | None = None) -> str:
    """The type as text; `names` are those of types that have one."""
    return _written(type, names or {}, 0)


_OR, _ARROW, _ATOM = 1, 2, 3
_MANY = 4


def _written(type: Type, names: Mapping[Type, str], rank: int) -> str:
    """With brackets round what binds less than `rank`."""
    if type in names:
        return names[type]
    match type:
        case Basic(name=name):
            return name
        case Unknown(letter=letter):
            return letter or "general"
        case Named(name=name):
            return name.name
        case ListOf((member,)):
            return f"{_written(member, names, _ATOM)} list"
        case ArrayOf():
            dimensions = 0
            while isinstance(type, ArrayOf):
                [type] = type.parts
                dimensions += 1
            return f"{_written(type, names, _ATOM)} {dimensions} array"
        case ByReference((contents,)) | BySubstitution((ByReference((contents,)) | contents,)):
            word = "ref" if isinstance(type, ByReference) else "substitution"
            text = f"{word} {_written(contents, names, _ARROW)}"
            return f"({text})" if rank > 0 else text
        case PointerTo((contents,)):
            return f"{_written(contents, names, _ATOM)} pointer"
        case TupleOf((item, *others)) if len(others) >= _MANY and {*others} == {item}:
            return f"{_written(item, names, _ATOM)} list"  # in round brackets
        case TupleOf(items):
            return f"({', '.join([_written(item, names, 0) for item in items])})"
        case Either(options):
            text = " or ".join([_written(option, names, _ARROW) for option in options])
            return f"({text})" if rank > _OR else text
        case _:
            *parameters, result = type.parts
            text = f"{_parameters(parameters, names)} ⇒ {_result(result, names)}"
            return f"({text})" if rank > 0 else text


def _parameters(parameters: Sequence[Type], names: Mapping[Type, str]) -> str:
    if len(parameters) == 1 and (not isinstance(parameters[0], TupleOf) or parameters[0] in names):
        return _written(parameters[0], names, _ATOM)
    return f"({', '.join([_written(each, names, 0) for each in parameters])})"


def _result(result: Type, names: Mapping[Type, str]) -> str:
    if result == NOTHING:
        return "()"
    return _written(result, names, _OR if isinstance(result, FunctionOf) else 0)
