"""Lark's tree to the surface tree. What the grammar leaves open is checked here: the shape of a definition's left
side.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from lark import Token, Tree

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.syntax import lexer, nodes, spelling
from cpl.syntax.nodes import Expression, Heading, Statement

MOST_NESTED: Final = 80
"""How deep brackets, arms and commands may nest: Python refuses a hundred indentations."""

MOST_OPERANDS: Final = 400
"""How long a chain of operators may be: Python's compiler goes one level deeper with each."""

MOST_ARMS: Final = 500
"""How many arms a conditional may have."""

_DEFINING: Final = ("LET", "REC", "FUNCTION", "ROUTINE")

Branch = Tree[Token]


class TooDeep(Exception):
    """Raised with the diagnostic when building cannot go on."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Builder:
    """Builds the nodes of one source; `diagnostics` collects what is wrong with their shape."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.depth = 0

    def program(self, tree: Branch, comments: Sequence[lexer.Token] = ()) -> nodes.Program:
        """The tree of the rule `program`, without the statements that are too deep or too long."""
        statements: list[Statement] = []
        for branch in _branches(tree):
            try:
                statements.append(self.statement(branch))
            except TooDeep as error:
                self.diagnostics.append(error.diagnostic)
                self.depth = 0
        notes = tuple([nodes.Comment(comment.text[2:], span=comment.span) for comment in comments])
        return nodes.Program(tuple(statements), notes, span=Span(self.source, 0, len(self.source.text)))

    def expression(self, tree: Branch) -> Expression:
        """The tree of any expression."""
        span = self._span(tree)
        match tree.data:
            case "chain":
                return self._chain(tree, span)
            case "conditional":
                *arms, otherwise = _branches(tree)
                self._limit(len(arms), MOST_ARMS, "arms", span)
                return nodes.Conditional(tuple([self._arm(arm) for arm in arms]), self.expression(otherwise), span=span)
            case "name":
                return self._name(tree)
            case "number":
                return nodes.Number(_text(tree), span=span)
            case "string":
                return nodes.String(_text(tree), span=span)
            case "constant":
                return nodes.Constant(_tokens(tree)[0].type, span=span)
            case "bracket":
                return nodes.Bracket(self._all(_branches(tree), span), span=span)
            case "list":
                return nodes.List(self._all(_branches(tree), span), span=span)
            case "application":
                function, *arguments = _branches(tree)
                square = any(token.type == "SQUARE_OPEN" for token in _tokens(tree))
                return nodes.Application(self.expression(function), self._all(arguments, span), square, span=span)
            case "type_name":
                return nodes.TypeName(_tokens(_branches(tree)[0])[0].type.lower().removesuffix("_type"), span=span)
            case "where_expression":
                value, *definitions = _branches(tree)
                given = tuple([self._single(each) for each in definitions])
                return nodes.Where(self.expression(value), given, "rec" in _words(tree), span=span)
            case "lambda":
                operand, body = _branches(tree)
                names = _branches(operand) if operand.data == "bracket" else [operand]
                parameters = self._distinct([self._parameter(name) for name in names])
                with self._deeper(span):
                    return nodes.Lambda(parameters, self.expression(body), span=span)
            case "result_block":
                return nodes.ResultBlock(self._section(_branches(tree)[0]), span=span)
            case _:
                assert tree.data == "value_block", tree.data
                return nodes.ValueBlock(self._section(_branches(tree)[0]), span=span)

    def _all(self, trees: list[Branch], span: Span) -> tuple[Expression, ...]:
        with self._deeper(span):
            return tuple([self.expression(tree) for tree in trees])

    def _chain(self, tree: Branch, span: Span) -> Expression:
        self._limit(len(_branches(tree)), MOST_OPERANDS, "operands", span)
        self._limit(len(tree.children), 3 * MOST_OPERANDS, "operators", span)
        if len(tree.children) == 1:
            return self.expression(_branches(tree)[0])
        return nodes.Chain(tuple([self._link(child) for child in tree.children]), span=span)

    def _link(self, child: Branch | Token) -> "Expression | nodes.Operator":
        if isinstance(child, Token):
            return nodes.Operator(child.type, span=self._span(child))
        return self.expression(child)

    def _arm(self, tree: Branch) -> nodes.Arm:
        test, value = _branches(tree)
        span = self._span(tree)
        with self._deeper(span):
            return nodes.Arm(self.expression(test), self.expression(value), span=span)

    def _name(self, tree: Branch) -> nodes.Name:
        return nodes.Name(_text(tree), span=self._span(tree))

    def _statements(self, tree: Branch) -> tuple[Statement, ...]:
        return tuple([self.statement(branch) for branch in _branches(tree)])

    def statement(self, tree: Branch) -> Statement:
        """The tree of any statement."""
        span = self._span(tree)
        match tree.data:
            case "definition":
                words = _words(tree)
                first, *others = _branches(tree)
                if first.data == "several":
                    return self._several(self._names(_branches(first)), others[0], words, span)
                if not others:
                    return replace(self._single(first, words), span=span)
                return nodes.Together(tuple([self._single(each) for each in (first, *others)]), words, span=span)
            case "own_definition":
                *own, last = _branches(tree)
                definitions = tuple([self._single(each) for each in own])
                return nodes.Own(definitions, self._single(last, ("let",)), span=span)
            case "routine":
                operand, command = _branches(tree)
                heading = self._heading(operand)
                if not isinstance(heading, nodes.FunctionHeading):
                    self.diagnostics.append(report(causes.NOT_A_ROUTINE, heading.span))
                    heading = nodes.FunctionHeading(nodes.Name("", span=span), (), False, span=span)
                with self._deeper(span):
                    return nodes.Routine(heading, self.statement(command), _words(tree), span=span)
            case "return_command":
                return nodes.Return(span=span)
            case "declaration":
                return self._declaration(tree, span)
            case "declarations":
                return nodes.Declarations(self._section(_branches(tree)[0]), span=span)
            case "if_command":
                return nodes.If(*self._guarded(tree, span), span=span)
            case "unless_command":
                return nodes.Unless(*self._guarded(tree, span), span=span)
            case "while_command" | "until_command":
                return nodes.While(*self._guarded(tree, span), tree.data == "until_command", span=span)
            case "test_command":
                test, command, otherwise = _branches(tree)
                with self._deeper(span):
                    arms = self.statement(command), self.statement(otherwise)
                    return nodes.Test(self.expression(test), *arms, span=span)
            case "for_step":
                name, *steps, command = _branches(tree)
                with self._deeper(span):
                    begin, by, end = map(self.expression, steps)
                    return nodes.ForStep(self._plain_name(name), begin, by, end, self.statement(command), span=span)
            case "for_list":
                name, members, command = _branches(tree)
                with self._deeper(span):
                    body = self.statement(command)
                    return nodes.ForList(self._plain_name(name), self.expression(members), body, span=span)
            case "repeat_command" | "repeat_while" | "repeat_until":
                repeated, *tests = _branches(tree)
                until = tree.data == "repeat_until"
                with self._deeper(span):
                    condition = self.expression(tests[0]) if tests else None
                    return nodes.Repeat(self.statement(repeated), condition, until, span=span)
            case "assignment":
                places, given = (self._all(_branches(part), span) for part in _branches(tree))
                if len(places) != len(given):
                    self.diagnostics.append(report(causes.UNEVEN, span, targets=len(places), values=len(given)))
                return nodes.Assignment(places, given, span=span)
            case "break_command":
                return nodes.Break(span=span)
            case "result_command":
                return nodes.Result(self.expression(_branches(tree)[0]), span=span)
            case "value_command":
                return nodes.ValueCommand(self.expression(_branches(tree)[0]), span=span)
            case "block_command":
                return self._section(_branches(tree)[0])
            case _:
                assert tree.data == "get_directive", tree.data
                return nodes.Get(str(_tokens(tree)[1]), span=span)

    def _section(self, tree: Branch) -> nodes.Section:
        span = self._span(tree)
        with self._deeper(span):
            return nodes.Section(self._statements(tree), str(_tokens(tree)[0]), span=span)

    def _guarded(self, tree: Branch, span: Span) -> tuple[Expression, Statement]:
        test, command = _branches(tree)
        with self._deeper(span):
            return self.expression(test), self.statement(command)

    # The left side of a definition

    def _single(self, tree: Branch, words: tuple[str, ...] = ()) -> nodes.Definition:
        """`heading = value`, `heading ≡ value`"""
        heading, value = _branches(tree)
        by_place = any(token.type == "DEFINED_BY" for token in _tokens(tree))
        meant = self._only_value(value) if value.data == "values" else self.expression(value)
        return nodes.Definition(self._heading(heading), meant, words, by_place, span=self._span(tree))

    def _only_value(self, tree: Branch) -> Expression:
        values = _branches(tree)
        if len(values) > 1:
            self.diagnostics.append(report(causes.UNEVEN, self._span(tree), targets=1, values=len(values)))
        return self.expression(values[0])

    def _declaration(self, tree: Branch, span: Span) -> Statement:
        """`real x, y` or `real x, y = 1, 2`"""
        kind, *names = _branches(tree)
        words = (_tokens(kind)[0].type.lower(),)
        values = names.pop() if names[-1].data == "values" else None
        if values is None:
            return nodes.Declaration(words[0], self._distinct(self._names(names)), span=span)
        if len(names) == 1:
            return nodes.Definition(self._heading(names[0]), self._only_value(values), words, span=span)
        return self._several(self._names(names), values, words, span)

    def _several(self, names: list[nodes.Name], values: Branch, words: tuple[str, ...], span: Span) -> Statement:
        """`p, q = 1, 2`: as if both sides stood in brackets."""
        pattern = nodes.Pattern(self._distinct(names), span=names[0].span.to(names[-1].span))
        given = self._all(_branches(values), span)
        if len(given) != len(names):
            self.diagnostics.append(report(causes.UNEVEN, span, targets=len(names), values=len(given)))
        return nodes.Definition(pattern, nodes.Bracket(given, span=self._span(values)), words, span=span)

    def _names(self, trees: list[Branch]) -> list[nodes.Name]:
        return [self._plain_name(tree) for tree in trees]

    def _plain_name(self, tree: Branch) -> nodes.Name:
        inner = _only(tree)
        if inner.data == "name":
            return self._name(inner)
        self.diagnostics.append(report(causes.NOT_A_NAME, self._span(tree)))
        return nodes.Name("", span=self._span(tree))

    def _heading(self, tree: Branch) -> Heading:
        match tree.data:
            case "name":
                return self._name(tree)
            case "bracket":
                pattern = self._pattern(tree)
                self._distinct(list(nodes.names_in(pattern)))
                return pattern
            case "application" if _branches(tree)[0].data == "name":
                name, *arguments = _branches(tree)
                square = any(token.type == "SQUARE_OPEN" for token in _tokens(tree))
                parameters = self._distinct([self._parameter(argument) for argument in arguments])
                return nodes.FunctionHeading(self._name(name), parameters, square, span=self._span(tree))
            case _:
                self.diagnostics.append(report(causes.NOT_A_HEADING, self._span(tree)))
                return nodes.Pattern((), span=self._span(tree))

    def _parameter(self, tree: Branch) -> nodes.Name:
        inner = _only(tree)
        if inner.data == "name":
            return self._name(inner)
        span = self._span(tree)
        if span.text.isalpha() and span.text.islower():
            self.diagnostics.append(spelling.product_for_name(span))
        else:
            self.diagnostics.append(report(causes.NOT_A_PARAMETER, span))
        return nodes.Name("", span=self._span(tree))

    def _pattern(self, tree: Branch) -> nodes.Name | nodes.Pattern:
        """`(x,(y,z))`; brackets round one name alone mean nothing."""
        items: list[nodes.Name | nodes.Pattern] = []
        for branch in _branches(tree):
            inner = _only(branch)
            match inner.data:
                case "name":
                    items.append(self._name(inner))
                case "bracket":
                    items.append(self._pattern(inner))
                case _:
                    self.diagnostics.append(report(causes.NOT_A_HEADING, self._span(branch)))
        return items[0] if len(items) == 1 else nodes.Pattern(tuple(items), span=self._span(tree))

    def _distinct(self, names: list[nodes.Name]) -> tuple[nodes.Name, ...]:
        seen: dict[str, nodes.Name] = {}
        for name in names:
            if name.name in seen and name.name:
                first = seen[name.name].span
                self.diagnostics.append(
                    report(causes.REPEATED_NAME, name.span, related=[(first, "first here")], name=name.name)
                )
            seen.setdefault(name.name, name)
        return tuple(names)

    @contextmanager
    def _deeper(self, span: Span) -> Iterator[None]:
        self.depth += 1
        if self.depth > MOST_NESTED:
            raise TooDeep(report(causes.TOO_DEEP, span, limit=MOST_NESTED))
        yield
        self.depth -= 1

    def _limit(self, count: int, limit: int, things: str, span: Span) -> None:
        if count > limit:
            raise TooDeep(report(causes.TOO_LONG, span, limit=limit, things=things))

    def _span(self, child: Branch | Token) -> Span:
        """From the first token of a tree to its last."""
        return Span(self.source, _edge(child, 0), _edge(child, -1))


def _edge(child: Branch | Token, end: int) -> int:
    while isinstance(child, Tree):
        child = child.children[end]
    position = child.end_pos if end else child.start_pos
    assert position is not None
    return position


def _words(tree: Branch) -> tuple[str, ...]:
    return tuple([token.type.lower() for token in _tokens(tree) if token.type in _DEFINING])


def _branches(tree: Branch) -> list[Branch]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _tokens(tree: Branch) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]


def _text(tree: Branch) -> str:
    return str(tree.children[0])


def _only(tree: Branch) -> Branch:
    """What a chain of one operand holds."""
    return _branches(tree)[0] if tree.data == "chain" and len(tree.children) == 1 else tree
