"""The parser's tree to the surface tree, bottom up: one case for each rule of the grammar.

The grammar parses the left side of a definition as an operand, as an LALR(1) parser sees the sign after it too late;
that it is a name, a list of names, or a function with its parameters is checked here. So are the limits of size beyond
which Python's compiler gives up. `y := 2x` comes as the first tree and leaves as the second:

    assignment(targets(name(SMALL)), ASSIGN, values(chain(number(NUMBER), JUXTAPOSED, name(SMALL))))
    Assignment((Name("y"),), (Chain((Number("2"), Operator("JUXTAPOSED"), Name("x"))),))
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from cpl.compiler import messages, suggestions
from cpl.compiler.diagnostics import Diagnostic, Fix, report
from cpl.compiler.source import Source, Span
from cpl.compiler.syntax import errors, nodes, surface
from cpl.compiler.syntax.divisors import wide_divisors
from cpl.compiler.syntax.lexer import Token
from cpl.compiler.syntax.preference import with_preferences
from cpl.compiler.syntax.surface import FORMS, names_in
from cpl.compiler.syntax.tokens import SYMBOLS
from cpl.limits import MOST_ARMS, MOST_NESTED, MOST_OPERANDS

if TYPE_CHECKING:
    from lark import Tree


_NESTING: Final = frozenset(
    """
    bracket list application arm pointed where_expression lambda section case assignment routine
    if_command unless_command while_command until_command test_command for_step for_list switch_command repeat_command
    repeat_while repeat_until
    """.split()
)
"""The rules that count as a level of nesting."""

_OF_PARTS: Final[dict[str, Callable[..., nodes.Node]]] = {
    "arm": nodes.Arm,
    "pointed": nodes.Follow,
    "value_block": partial(nodes.ValueBlock, result=False),
    "result_block": partial(nodes.ValueBlock, result=True),
    "declarations": nodes.Declarations,
    "if_command": partial(nodes.If, unless=False),
    "unless_command": partial(nodes.If, unless=True),
    "while_command": partial(nodes.While, until=False),
    "until_command": partial(nodes.While, until=True),
    "test_command": nodes.Test,
    "repeat_command": nodes.Repeat,
    "repeat_while": nodes.Repeat,
    "repeat_until": partial(nodes.Repeat, until=True),
    "go_to": nodes.GoTo,
    "switch_command": nodes.Switch,
    "result_command": nodes.Result,
    "value_command": nodes.ValueCommand,
    "break_command": partial(nodes.Leave, "break"),
    "return_command": partial(nodes.Leave, "return"),
    "finish_command": partial(nodes.Leave, "finish"),
}
"""The rules whose parts are the fields of the node."""

_OF_SEVERAL: Final[dict[str, Callable[..., nodes.Node]]] = {
    **dict.fromkeys(("bracket", "targets", "several", "values"), nodes.Bracket),
    "list": partial(nodes.Bracket, square=True),
    "case": nodes.Case,
}
"""The rules whose parts are the only field of the node."""

_OF_TEXT: Final = {"name": nodes.Name, "number": nodes.Number, "string": nodes.String}
"""The rules of one token, whose text is the only field of the node."""

_DEFINING_SIGNS: Final = {"DEFINED": "=", "DEFINED_BY": "≡", "SHARES": "≃"}
_CLOSE_IN_TYPES: Final = {"SQUARE_OPEN", "SQUARE_CLOSE", "COLON", "COMMA"}

Named = TypeVar("Named", nodes.Name, nodes.Parameter)


class Builder:
    """Builds the nodes of one source; `diagnostics` collects what is wrong with their shape."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []

    def program(self, tree: "Tree[Token]", comments: Sequence[Token] = ()) -> nodes.Program:
        """The program, without the statements that are too deep or too long. The line `#!` of a script is not a comment
        of it.
        """
        statements = [self._build(branch) for branch in _branches(tree) if self._is_within_limits(branch)]
        remarks = [comment for comment in comments if not comment.text.startswith("#!")]
        notes = [nodes.Comment(remark.text[2:], span=remark.span) for remark in remarks]
        whole = Span(self.source, 0, len(self.source.text))
        return nodes.Program(with_preferences(statements), comments=tuple(notes), span=whole)

    def expression(self, tree: "Tree[Token]") -> nodes.Expression | None:
        """The expression; None if it is too deep or too long."""
        return cast(nodes.Expression, self._build(tree)) if self._is_within_limits(tree) else None

    def _is_within_limits(self, tree: "Tree[Token]") -> bool:
        """Tell whether no part of a tree is too deep or too long, and report the first that is."""
        waiting = [(tree, 0)]
        while waiting:
            tree, depth = waiting.pop()
            depth += tree.data in _NESTING
            if depth > MOST_NESTED or len(tree.children) > MOST_OPERANDS:  # the quick test: most trees are small
                error = self._excess(tree, depth)
                if error:
                    self.diagnostics.append(error)
                    return False
            waiting += [(branch, depth) for branch in reversed(_branches(tree))]
        return True

    def _excess(self, tree: "Tree[Token]", depth: int) -> Diagnostic | None:
        """The error of a tree that is too deep or too long; None if it is neither."""
        branches = len(_branches(tree))
        too_long: tuple[tuple[str, int, int, str], ...] = (
            ("chain", branches, MOST_OPERANDS, "operands"),
            ("chain", len(tree.children), 3 * MOST_OPERANDS, "operators"),
            ("conditional", branches - 1, MOST_ARMS, "arms"),
        )
        if depth > MOST_NESTED:
            return report(messages.TOO_DEEP, self._span(tree), limit=MOST_NESTED)
        for rule, size, limit, things in too_long:
            if tree.data == rule and size > limit:
                return report(messages.TOO_LONG, self._span(tree), limit=limit, things=things)
        return None

    def _build(self, tree: "Tree[Token]") -> Any:
        """The node of a tree; several values become a Bracket, a type a TypeName."""
        span = self._span(tree)
        leaf = tree.children[0] if tree.data in _OF_TEXT else None
        if isinstance(leaf, Token):  # first, as most nodes are such leaves
            return _OF_TEXT[tree.data](leaf.text, span=span)
        children = [child if isinstance(child, Token) else self._build(child) for child in tree.children]
        parts = [child for child in children if not isinstance(child, Token)]
        tokens = [child for child in children if isinstance(child, Token)]
        kinds = [token.kind for token in tokens]
        words = tuple([kind.lower() for kind in kinds if kind.lower() in FORMS])
        match tree.data, parts:
            case str(rule), _ if rule in _OF_PARTS:
                return _OF_PARTS[rule](*parts, span=span)
            case str(rule), _ if rule in _OF_SEVERAL:
                return _OF_SEVERAL[rule](tuple(parts), span=span)
            # Expressions
            case "chain", _:
                return self._chain(children, span)
            case "conditional", [*arms, otherwise]:
                return nodes.Conditional(tuple(arms), otherwise, span=span)
            case "constant", _:
                return nodes.Constant(kinds[0], span=span)
            case "application", [function, *arguments]:
                return nodes.Application(function, tuple(arguments), "SQUARE_OPEN" in kinds, span=span)
            case "type" | "named_type" | "type_parameter", _:
                return nodes.TypeName(self._type(tree), span=span)
            case "where_expression", [value, *definitions]:
                rec = any("rec" in definition.words for definition in definitions)
                return nodes.Where(value, tuple(definitions), rec, span=span)
            case "lambda", [nodes.Bracket(items=names, square=False), body] | [*names, body]:
                bound = self._distinct([nodes.Name(self._parameter(name).name, span=name.span) for name in names])
                return nodes.Lambda(bound, body, span=span)
            # Definitions
            case "definition", _:
                return self._group(children)
            case "own_definition", _:
                at = children.index(tokens[kinds.index("IN")])
                return nodes.Own(self._group(children[:at]), self._group(children[at + 1 :]), span=span)
            case "routine", [operand, command]:
                return nodes.Routine(self._heading_of_routine(operand, span), command, words, span=span)
            case "single", [*types, left, values]:
                words = (*words, *(kind.name for kind in types))
                return self._single(_operands(tree, left), values, words, _DEFINING_SIGNS[kinds[-1]], span)
            case "heading", _:
                parameters = self._distinct(self._specified(parts))
                return nodes.FunctionHeading(self._named(tokens[0]), parameters, True, span=span)
            case "specification", _:
                return children
            case "mode", _:
                return tokens[0]
            case "declaration", [nodes.TypeName(name=kind), left] | [left, nodes.TypeName(name=kind)]:
                names = self._distinct([self._name(operand) for operand in _operands(tree, left)])
                return nodes.Declaration(kind, names, span=span)
            case "preference", [kind]:
                return nodes.Preference(kind.name, span=span)
            case "node_definition", _:
                return nodes.NodeType(self._large(tree), self._distinct(parts), span=span)
            case "component", [kind]:
                return nodes.Parameter(tokens[-1].text, kind=kind.name, span=self._span(tokens[-1]))
            case "element_definition", _:
                alternatives = [self._large(branch) for branch in _branches(tree)]
                return nodes.Element(self._large(tree), self._distinct(alternatives), span=span)
            # Commands
            case "for_step", [name, first, *step, last, command]:
                return nodes.ForStep(self._name(name), first, step[0] if step else None, last, command, span=span)
            case "for_list", [name, nodes.Bracket(items=(members,)), command]:
                return nodes.ForList(self._name(name), members, command, span=span)
            case "for_list", [name, members, command]:
                return nodes.ForList(self._name(name), replace(members, square=True), command, span=span)
            case "assignment", [targets, values]:
                self._check_even(targets.items, values.items, span)
                return nodes.Assignment(targets.items, values.items, span=span)
            case "label", _:
                return nodes.Label(self._named(tokens[0]), span=span)
            case "section", _:
                return nodes.Section(with_preferences(parts), tokens[0].text, span=span)
            case "block_command", [section]:
                return section
            case "get_directive", _:
                return nodes.Get(tokens[1].text, span=span)
        raise AssertionError(tree.data)  # a rule of the grammar without a case

    def _group(self, children: Sequence[Any]) -> nodes.Definition | nodes.Routine | nodes.Declaration | nodes.Together:
        """A definition, or several that are joined by `and`; `let` and `rec` hold for all of them."""
        words: set[str] = set()
        definitions: list[Any] = []
        for child in children:
            if isinstance(child, Token):
                words.add(child.kind.lower())
            else:
                definitions += surface.members(child)
        words.update(*(definition.words for definition in definitions))
        shared = tuple([word for word in ("let", "rec") if word in words])

        parts = []
        for definition in definitions:
            own = [word for word in definition.words if word not in shared]
            parts.append(replace(definition, words=(*shared, *own)))
        span = Span(self.source, children[0].span.start, children[-1].span.end)
        return nodes.Together(tuple(parts), shared, span=span) if len(parts) > 1 else replace(parts[0], span=span)

    def _chain(self, children: Sequence[Any], span: Span) -> nodes.Chain:
        """Operands and operators. Minus signs side by side, and a divisor that is a product, get a warning."""
        items = [
            nodes.Operator(child.kind, span=self._span(child)) if isinstance(child, Token) else child
            for child in children
        ]
        minus = nodes.Operator("MINUS", span=span)
        for left, right in pairwise(items):
            is_pair = left == right == minus and left.span.end == right.span.start
            if is_pair and not self.source.text.endswith(SYMBOLS["MINUS"], 0, left.span.start):  # not of three
                self.diagnostics.append(report(messages.CANCELLED, left.span.to(right.span)))
        self.diagnostics += wide_divisors(items)
        return nodes.Chain(tuple(items), span=span)

    # The left side of a definition

    def _heading(self, operand: nodes.Expression | nodes.FunctionHeading) -> nodes.Heading:
        """A name, a list of names in brackets, or a function with its parameters."""
        match operand:
            case nodes.FunctionHeading():
                return operand
            case nodes.Application(function=nodes.Name() as name, arguments=arguments, square=square):
                if square and arguments and _are_numbers(arguments) and errors.is_declared(operand.span):
                    help = messages.BOUNDS.format(made=errors.array_at(operand.span))
                    self.diagnostics.append(report(messages.NOT_A_PARAMETER, operand.span, help=help))
                    return nodes.FunctionHeading(name, (), square, span=operand.span)
                parameters = self._distinct([self._parameter(argument) for argument in arguments])
                return nodes.FunctionHeading(name, parameters, square, span=operand.span)
        pattern = self._pattern(operand)
        self._distinct(list(names_in(pattern)))
        return pattern

    def _heading_of_routine(
        self, operand: nodes.Expression | nodes.FunctionHeading, span: Span
    ) -> nodes.FunctionHeading:
        """A name with or without parameters; `span` is that of the whole routine."""
        heading = self._heading(operand)
        match heading:
            case nodes.FunctionHeading():
                return heading
            case nodes.Name():
                return nodes.FunctionHeading(heading, (), None, span=heading.span)
            case nodes.Pattern():
                self.diagnostics.append(report(messages.NOT_A_ROUTINE, heading.span))
                return nodes.FunctionHeading(nodes.Name("", span=span), (), False, span=span)

    def _pattern(self, operand: nodes.Expression) -> nodes.Name | nodes.Pattern:
        """`(x,(y,z))`; brackets round one name alone mean nothing."""
        match operand:
            case nodes.Name():
                return operand
            case nodes.Bracket(items=items, square=False):
                parts = [self._pattern(item) for item in items]
                return parts[0] if len(parts) == 1 else nodes.Pattern(tuple(parts), span=operand.span)
            case _:
                self.diagnostics.append(_not_a_heading(operand))
                return nodes.Pattern((), span=operand.span)

    def _parameter(self, argument: nodes.Expression) -> nodes.Parameter:
        """A parameter without mode or type; it must be a name."""
        if isinstance(argument, nodes.Name):
            return nodes.Parameter(argument.name, span=argument.span)
        self.diagnostics.append(_not_a_parameter(argument.span))
        return nodes.Parameter("", span=argument.span)

    def _specified(self, specifications: Sequence[Sequence[Any]]) -> list[nodes.Parameter]:
        """`ref Knot : x, value Data : n`: a mode or a type is also that of the next names, until another one stands
        before a name.
        """
        result: list[nodes.Parameter] = []
        mode, kind = "value", ""
        for *before, name in specifications:
            for part in before:
                if isinstance(part, nodes.TypeName):
                    kind = part.name
                elif part.kind in ("FUNCTION", "ROUTINE"):
                    kind = part.text
                elif part.kind != "COLON":
                    mode, kind = ("ref" if part.kind == "REFERENCE" else part.text), ""
            result.append(nodes.Parameter(name.text, mode, kind, span=self._span(name)))
        return result

    def _type(self, tree: "Tree[Token]") -> str:
        """A type as it is written, with blanks and symbols in one form: `real 2 array`, `Routine[α: ×]`."""
        written = ""
        for token in tree.scan_values(lambda part: isinstance(part, Token)):
            is_close = not written or written.endswith("[") or token.kind in _CLOSE_IN_TYPES
            written += "" if is_close else " "
            written += "×" if token.kind == "TIMES" else token.text
        return written

    def _named(self, token: Token) -> nodes.Name:
        return nodes.Name(token.text, span=self._span(token))

    def _large(self, tree: "Tree[Token]") -> nodes.Name:
        """The large name in `node α Address` or in an alternative such as `α Address`; else a type such as `real`."""
        large = next((child for child in tree.children if isinstance(child, Token) and child.kind == "LARGE"), None)
        return nodes.Name(large.text if large else self._type(tree), span=self._span(large or tree))

    def _name(self, operand: nodes.Expression) -> nodes.Name:
        """An operand that must be a name."""
        if isinstance(operand, nodes.Name):
            return operand
        if isinstance(operand, nodes.Application) and operand.square:
            help: str | None = messages.BOUNDS.format(made=errors.array_at(operand.span))
        else:
            run = errors.run_at(operand.span)
            help = suggestions.meant(run.text, errors.near_words(run.text))
        self.diagnostics.append(report(messages.NOT_A_NAME, operand.span, help=help))
        return nodes.Name("", span=operand.span)

    def _distinct(self, names: Sequence[Named]) -> tuple[Named, ...]:
        """Report each name that stands twice."""
        seen: dict[str, Named] = {}
        for name in names:
            first = seen.setdefault(name.name, name)
            if first is not name and name.name:
                related = [(first.span, "first here")]
                self.diagnostics.append(report(messages.REPEATED_NAME, name.span, related=related, name=name.name))
        return tuple(names)

    # The right side

    def _single(
        self, operands: Sequence[Any], values: nodes.Bracket, words: tuple[str, ...], sign: str, span: Span
    ) -> nodes.Definition | nodes.Together:
        """One heading, one value. `p, q = 1, 2`: as if both sides stood in brackets; `p, q ≃ a, b`: one by one."""
        if "all" not in words:
            self._check_even(operands, values.items, span if len(operands) > 1 else values.span)
        elif sign != "=":
            self.diagnostics.append(report(messages.NOT_SHARED, span))
        elif len(values.items) > 1:
            self.diagnostics.append(report(messages.UNEVEN, span, targets=1, values=len(values.items)))

        if len(operands) == 1:
            return nodes.Definition(self._heading(operands[0]), values.items[0], words, sign, span=span)
        pattern = nodes.Pattern(tuple(map(self._pattern, operands)), span=operands[0].span.to(operands[-1].span))
        self._distinct([*names_in(pattern)])
        if sign == "=":
            value = values.items[0] if "all" in words else values
            return nodes.Definition(pattern, value, words, span=span)
        pairs = zip(pattern.items, values.items, strict=False)
        definitions = [
            nodes.Definition(name, value, words, sign, span=name.span.to(value.span)) for name, value in pairs
        ]
        return nodes.Together(tuple(definitions), words, span=span)

    def _check_even(self, targets: Sequence[nodes.Node], values: Sequence[nodes.Node], span: Span) -> None:
        if len(targets) != len(values):
            names = ",".join(target.span.text for target in targets)
            help = f"to take a list apart, put the names in brackets: ({names})" if len(values) == 1 else None
            self.diagnostics.append(report(messages.UNEVEN, span, help=help, targets=len(targets), values=len(values)))

    def _span(self, child: "Tree[Token] | Token") -> Span:
        """From the first token of a tree to its last."""
        first = last = child
        while not isinstance(first, Token):
            first = first.children[0]
        while not isinstance(last, Token):
            last = last.children[-1]
        return Span(self.source, first.span.start, last.span.end)


def _are_numbers(arguments: Sequence[nodes.Expression]) -> bool:
    """Tell whether all arguments are numbers, as the bounds of an array are."""
    return all(isinstance(argument, nodes.Number) for argument in arguments)


_RUN: Final = re.compile("[a-z][A-Za-z0-9]*")
"""Letters and digits that are a product in CPL, and a name elsewhere."""

_A_NAME: Final = r"([a-z]|[A-Z]\w*)"


def _not_a_heading(operand: nodes.Expression) -> Diagnostic:
    """The error of an operand that is defined, and is neither a name nor a list of names."""
    span = operand.span
    if isinstance(operand, nodes.Application) and operand.square and _are_numbers(operand.arguments):
        return report(messages.NOT_A_HEADING, span, help=messages.BOUNDS.format(made=errors.array_at(span)))
    with_greek = errors.with_greek(span)
    if with_greek:
        return with_greek
    if _RUN.fullmatch(span.text):
        return errors.product_for_name(span)
    return report(messages.NOT_A_HEADING, span)


def _not_a_parameter(span: Span) -> Diagnostic:
    """The error of what stands where a parameter should be, and is not a name."""
    if _RUN.fullmatch(span.text):
        error = errors.product_for_name(span)
    else:
        error = errors.with_greek(span) or report(messages.NOT_A_PARAMETER, span)

    if re.fullmatch(rf"{_A_NAME}([ \t]+{_A_NAME})+", span.text):
        names = ", ".join(span.text.split())
        fix = Fix(span, names, f"separate the names by commas: {names}")
        return replace(error, help=fix.advice, fixes=(fix,))
    default = re.fullmatch(rf"{_A_NAME}[ \t]*=.*", span.text)
    if default:
        help = f"a parameter has no value of its own: write {default[1]} alone, and give each call all arguments"
        return replace(error, help=help)
    return error


def _operands(tree: "Tree[Token]", left: Any) -> Sequence[Any]:
    """Return the left side of a definition: one operand, or several with commas between them."""
    return left.items if any(branch.data == "several" for branch in _branches(tree)) else (left,)


def _branches(tree: "Tree[Token]") -> "list[Tree[Token]]":
    return [child for child in tree.children if not isinstance(child, Token)]
