"""The calls that lead to a value in a workspace: an expression in; what the program wrote, and a tree of calls out.

The expression is evaluated on the live values, and its effects stay. `recording` follows a whole program step by step.
"""

from dataclasses import replace
from typing import Final

from cpl.kit.call_tree import ARGUMENT, DEPTH, RESULT, tree_lines
from cpl.kit.recorded_values import RecordedValues
from cpl.kit.traces import MOST_RECORDED, Call, trace
from cpl.kit.values import same
from cpl.workspace import CALLED, Workspace

_SECONDS: Final = 60.0
_DEEPEST: Final = 50_000  # frames of Python: a call that is watched takes three


def trace_expression(workspace: Workspace, expression: str) -> Call:
    """Evaluate an expression, and record every call of a CPL function within. The outermost call is the expression.
    Raises CplError, and Invalid if the text is no expression; a run that goes wrong has a fault.
    """
    workspace.prepare(expression)
    call = trace(workspace.namespace, CALLED, [], seconds=_SECONDS, deepest=_DEEPEST, reads=True)
    return replace(call, function=" ".join(expression.split()))


def calls_text(call: Call, *, depth: int = DEPTH) -> str:
    """The tree of what `trace_expression` recorded, to so many levels."""
    values = RecordedValues()

    def written(each: Call) -> str:
        arguments = ",".join(values.text(values.number(value), ARGUMENT) for value in each.arguments)
        applied = each.function if each is call else f"{each.function}({arguments})"
        if each.fault is not None:
            return f"{applied}: {each.fault}"
        return applied if each.result is None else f"{applied} = {values.text(values.number(each.result), RESULT)}"

    is_one_call = len(call.inner) == 1 and call.inner[0].fault == call.fault and same(call.inner[0].result, call.result)
    roots = call.inner if is_one_call else [call]
    notes = [f"(only the first {MOST_RECORDED:,} calls are recorded)"] if call.cut else []
    return "\n".join([*tree_lines(roots, depth, written), *notes])
