"""Lark's tree to the surface tree. What the grammar leaves open is checked here: the shape of a definition's left
side.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Final

from lark import Token

from cpl import causes
from cpl.diagnostics import Diagnostic, report
from cpl.source import Source, Span
from cpl.syntax import lexer, nodes
from cpl.syntax.headings import Branch, Headings, branches, sign, text, tokens
from cpl.syntax.nodes import Expression, Statement
from cpl.syntax.within import FORMS

MOST_NESTED: Final = 80
"""How deep brackets, arms and commands may nest: Python refuses a hundred indentations."""

MOST_OPERANDS: Final = 400
"""How long a chain of operators may be: Python's compiler goes one level deeper with each."""

MOST_ARMS: Final = 500
"""How many arms a conditional may have."""


class TooDeep(Exception):
    """Raised with the diagnostic when building cannot go on."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class Builder(Headings):
    """Builds the nodes of one source; `diagnostics` collects what is wrong with their shape."""

    def __init__(self, source: Source) -> None:
        super().__init__(source)
        self.depth = 0

    def program(self, tree: Branch, comments: Sequence[lexer.Token] = ()) -> nodes.Program:
        """The tree of the rule `program`, without the statements that are too deep or too long."""
        statements: list[Statement] = []
        for branch in branches(tree):
            try:
                statements.append(self.statement(branch))
            except TooDeep as error:
                self.diagnostics.append(error.diagnostic)
                self.depth = 0
        notes = tuple([nodes.Comment(comment.text[2:], span=comment.span) for comment in comments])
        return nodes.Program(tuple(statements), notes, span=Span(self.source, 0, len(self.source.text)))

    def expression(self, tree: Branch) -> Expression:
        """The tree of any expression."""
        span = self.span(tree)
        match tree.data:
            case "chain":
                return self._chain(tree, span)
            case "conditional":
                *arms, otherwise = branches(tree)
                self._limit(len(arms), MOST_ARMS, "arms", span)
                return nodes.Conditional(tuple([self._arm(arm) for arm in arms]), self.expression(otherwise), span=span)
            case "name":
                return self.name(tree)
            case "number":
                return nodes.Number(text(tree), span=span)
            case "string":
                return nodes.String(text(tree), span=span)
            case "constant":
                return nodes.Constant(tokens(tree)[0].type, span=span)
            case "bracket":
                return nodes.Bracket(self._all(branches(tree), span), span=span)
            case "list":
                return nodes.Bracket(self._all(branches(tree), span), True, span=span)
            case "application":
                function, *arguments = branches(tree)
                square = any(token.type == "SQUARE_OPEN" for token in tokens(tree))
                return nodes.Application(self.expression(function), self._all(arguments, span), square, span=span)
            case "type":
                return nodes.TypeName(self.type(tree), span=span)
            case "pointed":
                with self._deeper(span):
                    return nodes.Follow(self.expression(branches(tree)[0]), span=span)
            case "where_expression":
                value, *definitions = branches(tree)
                given = tuple([self._single(each) for each in definitions])
                with self._deeper(span):
                    return nodes.Where(self.expression(value), given, "rec" in _words(tree), span=span)
            case "lambda":
                *names, body = branches(tree)
                if len(names) == 1 and names[0].data == "bracket":
                    names = branches(names[0])
                parameters = self.distinct([self.plain_parameter(name) for name in names])
                with self._deeper(span):
                    return nodes.Lambda(parameters, self.expression(body), span=span)
            case "result_block":
                return nodes.ValueBlock(self._section(branches(tree)[0]), True, span=span)
            case _:
                assert tree.data == "value_block", tree.data
                return nodes.ValueBlock(self._section(branches(tree)[0]), False, span=span)

    def _all(self, trees: list[Branch], span: Span) -> tuple[Expression, ...]:
        with self._deeper(span):
            return tuple([self.expression(tree) for tree in trees])

    def _chain(self, tree: Branch, span: Span) -> Expression:
        self._limit(len(branches(tree)), MOST_OPERANDS, "operands", span)
        self._limit(len(tree.children), 3 * MOST_OPERANDS, "operators", span)
        if len(tree.children) == 1:
            return self.expression(branches(tree)[0])
        told = 0  # where the last signs end of which it is said
        for one, other in pairwise(tree.children):
            signs = isinstance(one, Token) and isinstance(other, Token) and one.type == other.type == "MINUS"
            if signs and self.span(one).end == self.span(other).start:
                if self.span(one).end != told:
                    self.diagnostics.append(report(causes.CANCELLED, self.span(one).to(self.span(other))))
                told = self.span(other).end
        return nodes.Chain(tuple([self._link(child) for child in tree.children]), span=span)

    def _link(self, child: Branch | Token) -> "Expression | nodes.Operator":
        if isinstance(child, Token):
            return nodes.Operator(child.type, span=self.span(child))
        return self.expression(child)

    def _arm(self, tree: Branch) -> nodes.Arm:
        test, value = branches(tree)
        span = self.span(tree)
        with self._deeper(span):
            return nodes.Arm(self.expression(test), self.expression(value), span=span)

    def _statements(self, tree: Branch) -> tuple[Statement, ...]:
        return tuple([self.statement(branch) for branch in branches(tree)])

    def statement(self, tree: Branch) -> Statement:
        """The tree of any statement."""
        span = self.span(tree)
        match tree.data:
            case "definition":
                words = _words(tree)
                first, *others = branches(tree)
                if first.data == "several":
                    names = self.names(branches(first))
                    return self._several(names, others[0], words, span, sign=sign(tree))
                if not others:
                    return replace(self._single(first, words), span=span)
                return nodes.Together(tuple([self._single(each) for each in (first, *others)]), words, span=span)
            case "own_definition":
                *own, last = branches(tree)
                definitions = tuple([self._single(each) for each in own])
                return nodes.Own(definitions, self._single(last, ("let",)), span=span)
            case "routine":
                return self._routine(tree, _words(tree))
            case "return_command":
                return nodes.Leave("return", span=span)
            case "declaration":
                return self._declaration(tree, span)
            case "declarations":
                return nodes.Declarations(self._section(branches(tree)[0]), span=span)
            case "if_command":
                return nodes.If(*self._guarded(tree, span), False, span=span)
            case "unless_command":
                return nodes.If(*self._guarded(tree, span), True, span=span)
            case "while_command" | "until_command":
                return nodes.While(*self._guarded(tree, span), tree.data == "until_command", span=span)
            case "test_command":
                test, command, otherwise = branches(tree)
                with self._deeper(span):
                    arms = self.statement(command), self.statement(otherwise)
                    return nodes.Test(self.expression(test), *arms, span=span)
            case "for_step":
                name, *steps, command = branches(tree)
                with self._deeper(span):
                    begin, by, end = map(self.expression, steps)
                    return nodes.ForStep(self.plain_name(name), begin, by, end, self.statement(command), span=span)
            case "for_list":
                name, members, command = branches(tree)
                with self._deeper(span):
                    body = self.statement(command)
                    return nodes.ForList(self.plain_name(name), self._members(members), body, span=span)
            case "repeat_command" | "repeat_while" | "repeat_until":
                repeated, *tests = branches(tree)
                until = tree.data == "repeat_until"
                with self._deeper(span):
                    condition = self.expression(tests[0]) if tests else None
                    return nodes.Repeat(self.statement(repeated), condition, until, span=span)
            case "assignment":
                places, given = (self._all(branches(part), span) for part in branches(tree))
                if len(places) != len(given):
                    self.diagnostics.append(report(causes.UNEVEN, span, targets=len(places), values=len(given)))
                return nodes.Assignment(places, given, span=span)
            case "break_command":
                return nodes.Leave("break", span=span)
            case "finish_command":
                return nodes.Leave("finish", span=span)
            case "go_to":
                return nodes.GoTo(self.expression(branches(tree)[0]), span=span)
            case "label":
                return nodes.Label(nodes.Name(text(tree), span=self.span(tree.children[0])), span=span)
            case "switch_command":
                value, section = branches(tree)
                with self._deeper(span):
                    return nodes.Switch(self.expression(value), self._section(section), span=span)
            case "case":
                return nodes.Case(self._all(branches(tree), span), span=span)
            case "node_definition":
                components = [self.component(each) for each in branches(tree)]
                return nodes.NodeType(self.type_defined(tree), self.distinct(components), span=span)
            case "element_definition":
                alternatives = self.distinct([self.alternative(each) for each in branches(tree)])
                return nodes.Element(self.type_defined(tree), alternatives, span=span)
            case "result_command":
                return nodes.Result(self.expression(branches(tree)[0]), span=span)
            case "value_command":
                return nodes.ValueCommand(self.expression(branches(tree)[0]), span=span)
            case "block_command":
                return self._section(branches(tree)[0])
            case _:
                assert tree.data == "get_directive", tree.data
                return nodes.Get(str(tokens(tree)[1]), span=span)

    def _section(self, tree: Branch) -> nodes.Section:
        span = self.span(tree)
        with self._deeper(span):
            return nodes.Section(self._statements(tree), str(tokens(tree)[0]), span=span)

    def _guarded(self, tree: Branch, span: Span) -> tuple[Expression, Statement]:
        test, command = branches(tree)
        with self._deeper(span):
            return self.expression(test), self.statement(command)

    # The left side of a definition

    def _single(self, tree: Branch, words: tuple[str, ...] = ()) -> nodes.Definition | nodes.Routine:
        """`heading = value`, `heading ≡ value`, `heading be command`"""
        if tree.data == "single_routine":
            return self._routine(tree, words)
        heading, value = branches(tree)
        meant = self._only_value(value) if value.data == "values" else self.expression(value)
        return nodes.Definition(self.heading(heading), meant, words, sign(tree), span=self.span(tree))

    def _routine(self, tree: Branch, words: tuple[str, ...]) -> nodes.Routine:
        operand, command = branches(tree)
        span = self.span(tree)
        heading = self.heading(operand)
        if not isinstance(heading, nodes.FunctionHeading):
            self.diagnostics.append(report(causes.NOT_A_ROUTINE, heading.span))
            heading = nodes.FunctionHeading(nodes.Name("", span=span), (), False, span=span)
        with self._deeper(span):
            return nodes.Routine(heading, self.statement(command), words, span=span)

    def _members(self, tree: Branch) -> Expression:
        """What a `for` goes through: a list, or the values that stand there."""
        values = branches(tree)
        if len(values) == 1:
            return self.expression(values[0])
        span = self.span(tree)
        return nodes.Bracket(self._all(values, span), True, span=span)

    def _only_value(self, tree: Branch) -> Expression:
        values = branches(tree)
        if len(values) > 1:
            self.diagnostics.append(report(causes.UNEVEN, self.span(tree), targets=1, values=len(values)))
        return self.expression(values[0])

    def _declaration(self, tree: Branch, span: Span) -> Statement:
        """`real x, y` or `real x, y = 1, 2`"""
        kind, *names = branches(tree)
        words = (self.type(kind),)
        values = names.pop() if names[-1].data == "values" else None
        if values is None:
            return nodes.Declaration(words[0], self.distinct(self.names(names)), span=span)
        if len(names) == 1:
            return nodes.Definition(self.heading(names[0]), self._only_value(values), words, span=span)
        return self._several(self.names(names), values, words, span)

    def _several(
        self, names: list[nodes.Name], values: Branch, words: tuple[str, ...], span: Span, *, sign: str = "="
    ) -> Statement:
        """`p, q = 1, 2`: as if both sides stood in brackets; `p, q ≃ a, b`: one by one."""
        pattern = nodes.Pattern(self.distinct(names), span=names[0].span.to(names[-1].span))
        given = self._all(branches(values), span)
        if len(given) != len(names):
            self.diagnostics.append(report(causes.UNEVEN, span, targets=len(names), values=len(given)))
        if sign == "≃":
            pairs = zip(names, given, strict=False)
            each = [nodes.Definition(name, value, words, sign, span=name.span.to(value.span)) for name, value in pairs]
            return nodes.Together(tuple(each), words, span=span)
        return nodes.Definition(pattern, nodes.Bracket(given, span=self.span(values)), words, span=span)

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


def _words(tree: Branch) -> tuple[str, ...]:
    return tuple([word for token in tokens(tree) if (word := token.type.lower()) in FORMS])
