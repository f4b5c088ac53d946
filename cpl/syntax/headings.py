"""The left sides of definitions, from lark's tree to nodes: names, lists of names, headings and their parameters.

`build` stands on it. What the grammar leaves open is checked here.
"""

from typing import Final, TypeVar

from lark import Token, Tree

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.syntax import nodes, spelling, within
from cpl.syntax.lexer import on_one_line
from cpl.syntax.nodes import Heading

_MODES: Final = {"VALUE": "value", "REF": "ref", "REFERENCE": "ref", "SUBSTITUTION": "substitution"}
_SHOWN: Final = {"TIMES": "×"}
_SIGNS: Final = {"DEFINED": "=", "DEFINED_BY": "≡", "SHARES": "≃"}

Branch = Tree[Token]
Named = TypeVar("Named", nodes.Name, nodes.Parameter)


class Headings:
    """Builds what is defined; `diagnostics` collects what is wrong with its shape."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def name(self, tree: Branch) -> nodes.Name:
        """A name as it stands."""
        return nodes.Name(text(tree), span=self.span(tree))

    def names(self, trees: list[Branch]) -> list[nodes.Name]:
        """Operands that must be names."""
        return [self.plain_name(tree) for tree in trees]

    def plain_name(self, tree: Branch) -> nodes.Name:
        """An operand that must be a name."""
        inner = only(tree)
        if inner.data == "name":
            return self.name(inner)
        run = spelling.run_at(self.span(tree))
        help = spelling.meant(run.text, spelling.near_words(run.text))
        self.diagnostics.append(report(causes.NOT_A_NAME, self.span(tree), help=help))
        return nodes.Name("", span=self.span(tree))

    def heading(self, tree: Branch) -> Heading:
        """A name, a list of names in brackets, or a function with its parameters."""
        match tree.data:
            case "name":
                return self.name(tree)
            case "bracket":
                pattern = self._pattern(tree)
                self.distinct(list(within.names_in(pattern)))
                return pattern
            case "application" if branches(tree)[0].data == "name":
                function, *arguments = branches(tree)
                square = any(token.type == "SQUARE_OPEN" for token in tokens(tree))
                parameters = self.distinct([self.parameter(argument) for argument in arguments])
                return nodes.FunctionHeading(self.name(function), parameters, square, span=self.span(tree))
            case "heading":
                name = nodes.Name(text(tree), span=self.span(tree.children[0]))
                specified = self.distinct(self._specified(branches(tree)))
                return nodes.FunctionHeading(name, specified, True, span=self.span(tree))
            case _:
                self.diagnostics.append(report(causes.NOT_A_HEADING, self.span(tree)))
                return nodes.Pattern((), span=self.span(tree))

    def _specified(self, trees: list[Branch]) -> list[nodes.Parameter]:
        """`ref Knot : x, value Data : n`: a mode, and a type without a colon, hold for the names that follow too."""
        result: list[nodes.Parameter] = []
        mode, kind = "value", ""
        for tree in trees:
            *said, name = tree.children
            for each in said:
                if isinstance(each, Tree) and each.data == "mode":
                    mode, kind = _MODES[str(tokens(each)[0].type)], ""
                elif not (isinstance(each, Token) and each.type == "COLON"):
                    kind = self.type(each)
            assert isinstance(name, Token)
            result.append(nodes.Parameter(str(name), mode, kind, span=self.span(name)))
        return result

    def component(self, tree: Branch) -> nodes.Parameter:
        """`LispList : Car`, `string PrintName`"""
        kind, *_, name = tree.children
        assert isinstance(name, Token)
        return nodes.Parameter(str(name), kind=self.type(kind), span=self.span(name))

    def alternative(self, tree: Branch) -> nodes.Name:
        """The name in `α Address`, or `real`."""
        large = [token for token in tokens(tree) if token.type == "LARGE"]
        return nodes.Name(str(large[0]) if large else self.type(tree), span=self.span(large[0] if large else tree))

    def type_defined(self, tree: Branch) -> nodes.Name:
        """What a definition of a node or an element defines."""
        large = next(token for token in tokens(tree) if token.type == "LARGE")
        return nodes.Name(str(large), span=self.span(large))

    def plain_parameter(self, tree: Branch) -> nodes.Name:
        """A parameter of λ."""
        parameter = self.parameter(tree)
        return nodes.Name(parameter.name, span=parameter.span)

    def parameter(self, tree: Branch) -> nodes.Parameter:
        """A parameter of which only the name is said."""
        inner = only(tree)
        if inner.data == "name":
            return nodes.Parameter(text(inner), span=self.span(inner))
        span = self.span(tree)
        if span.text.isalpha() and span.text.islower():
            self.diagnostics.append(spelling.product_for_name(span))
        else:
            self.diagnostics.append(report(causes.NOT_A_PARAMETER, span))
        return nodes.Parameter("", span=self.span(tree))

    def _pattern(self, tree: Branch) -> nodes.Name | nodes.Pattern:
        """`(x,(y,z))`; brackets round one name alone mean nothing."""
        items: list[nodes.Name | nodes.Pattern] = []
        for branch in branches(tree):
            inner = only(branch)
            match inner.data:
                case "name":
                    items.append(self.name(inner))
                case "bracket":
                    items.append(self._pattern(inner))
                case _:
                    self.diagnostics.append(report(causes.NOT_A_HEADING, self.span(branch)))
        return items[0] if len(items) == 1 else nodes.Pattern(tuple(items), span=self.span(tree))

    def type(self, child: Branch | Token) -> str:
        """A type as it is written, with its blanks and signs in one form: `real 2 array`, `Routine[α: ×]`."""
        written = ""
        waiting: list[Branch | Token] = [child]
        while waiting:
            part = waiting.pop()
            if isinstance(part, Tree):
                waiting += reversed(part.children)
                continue
            close = (
                not written or written.endswith("[") or part.type in ("SQUARE_OPEN", "SQUARE_CLOSE", "COLON", "COMMA")
            )
            plain = part.type in ("SMALL", "LARGE")
            shown = str(part) if plain else _SHOWN.get(part.type) or on_one_line(self.span(part))
            written += shown if close else f" {shown}"
        return written

    def distinct(self, names: list[Named]) -> tuple[Named, ...]:
        """Complain of a name that stands twice."""
        seen: dict[str, Named] = {}
        for name in names:
            if name.name in seen and name.name:
                first = seen[name.name].span
                self.diagnostics.append(
                    report(causes.REPEATED_NAME, name.span, related=[(first, "first here")], name=name.name)
                )
            seen.setdefault(name.name, name)
        return tuple(names)

    def span(self, child: Branch | Token) -> Span:
        """From the first token of a tree to its last."""
        return Span(self.source, _edge(child, 0), _edge(child, -1))


def _edge(child: Branch | Token, end: int) -> int:
    while isinstance(child, Tree):
        child = child.children[end]
    position = child.end_pos if end else child.start_pos
    assert position is not None
    return position


def sign(tree: Branch) -> str:
    """The sign of a definition."""
    return next((_SIGNS[token.type] for token in tokens(tree) if token.type in _SIGNS), "=")


def branches(tree: Branch) -> list[Branch]:
    """The parts of a tree that are trees."""
    return [child for child in tree.children if isinstance(child, Tree)]


def tokens(tree: Branch) -> list[Token]:
    """The parts of a tree that are tokens."""
    return [child for child in tree.children if isinstance(child, Token)]


def text(tree: Branch) -> str:
    """The text of the first token."""
    return str(tree.children[0])


def only(tree: Branch) -> Branch:
    """What a chain of one operand holds."""
    return branches(tree)[0] if tree.data == "chain" and len(tree.children) == 1 else tree
