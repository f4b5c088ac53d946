"""A program as a module of native functions."""

import ast
import functools
from collections.abc import Callable
from types import ModuleType
from typing import Any

from cpl.python.emit import Generated
from cpl.python.execute import FAULTS, as_fault
from cpl.source import Source


def run(load: Callable[[], ModuleType], generated: Generated, source: Source) -> ModuleType:
    """A native module, of which `load` gives the extension. As in modules that are executed, what Python raises where
    the CPL is at fault becomes a CplFault. Raises what `load` does, and CplFault if a constant cannot be made.
    """
    made = _with_faults(load)()
    module = ModuleType(source.name)
    names: dict[str, Any] = vars(module)
    names |= {name: value for name, value in vars(made).items() if not name.startswith("__")}
    names |= {"__doc__": generated.docstring, "__file__": source.path, "__all__": generated.public_names}
    for function in [each for piece in generated.pieces for each in piece.statements]:
        if isinstance(function, ast.FunctionDef):
            for name in {function.name, function.name.removeprefix("_")} & names.keys():
                names[name] = _with_faults(names[name])
                names[name].__doc__ = ast.get_docstring(function)
    return module


def _with_faults(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except FAULTS as error:
            raise as_fault(error) from None

    return call
