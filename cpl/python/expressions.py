"""Which values Python can write as one expression."""

from collections.abc import Sequence

from cpl.semantics import core, walk


def is_expression(node: core.Expression) -> bool:
    """Whether the value is one Python expression, with at most one conditional to each operand."""
    for part in walk.nodes(node):
        match part:
            case core.Block() | core.Lambda():
                return False
            case core.Conditional(arms=arms):
                inner = sum(isinstance(each, core.Conditional) for each in walk.nodes(part))
                if inner > 1 or len(arms) > 1:
                    return False
    return True


def needs_no_variables(node: core.Expression) -> bool:
    """Whether a value can be assigned as an expression, or by the arms of one conditional."""
    if isinstance(node, core.Conditional):
        arms = (part for arm in node.arms for part in arm)
        return all(map(is_expression, (*arms, node.otherwise)))
    return is_expression(node)


def is_empty_list(node: core.Expression) -> bool:
    """Whether this is an empty list as it is written down."""
    return isinstance(node, core.Nil) or (isinstance(node, core.List) and not node.items)


def are_independent(targets: Sequence[core.Target], values: Sequence[core.Expression]) -> bool:
    """Whether each target is a name that can get its value by itself, as it stands in none of the values."""
    names = {target.name for target in targets if isinstance(target, core.Local | core.Global)}
    parts = [part for value in values for part in walk.nodes(value) if isinstance(part, core.Local | core.Global)]
    independent = len(names) == len(targets) == len(values) and names.isdisjoint(part.name for part in parts)
    return independent and all(map(is_expression, values))
