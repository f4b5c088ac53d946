"""An optimised module of Python beside its library of C.

Each function that the library has is decorated in the Python, which runs where the library gives a call up:

    @_native(3, "(iiii) i", "[(iiii)]")
    def _RemainingPositionList(P, s): …
"""

import ast

from cpl.fast.c.library import CLibrary
from cpl.python.ast_builders import load
from cpl.python.emit import Generated
from cpl.semantics import core


def decorated(generated: Generated, library: CLibrary) -> str:
    """Decorate the functions that the library has. The result is what the module calls the library."""
    native = generated.module.new("_native")
    numbers = {name: number for number, name in enumerate(library.entries)}
    for piece in generated.pieces:
        match piece.definition, piece.statements:
            case core.Function(name=name), [ast.FunctionDef() as function] if name in numbers:
                parameters, result = library.entries[name]
                given = [ast.Constant(each) for each in (numbers[name], " ".join(parameters), result)]
                function.decorator_list = [ast.Call(load(native), [*given], [])]
    return native


def loading(native: str, library: CLibrary) -> ast.stmt:
    """The statement that loads the library beside the module, which stands before the functions."""
    strings = ast.Tuple([*map(ast.Constant, library.strings)], ast.Load())
    return ast.Assign([ast.Name(native, ast.Store())], ast.Call(load("NativeLibrary"), [load("__file__"), strings], []))


def starting(native: str, generated: Generated, library: CLibrary) -> ast.stmt:
    """The statement that gives the library the constants, which stands after them."""
    pairs = [
        ast.Tuple([ast.Constant(form), load(generated.module.name(name))], ast.Load())
        for name, form in library.constants.items()
    ]
    return ast.Expr(ast.Call(ast.Attribute(load(native), "start", ast.Load()), [*pairs], []))
