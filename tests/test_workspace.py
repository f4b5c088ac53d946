"""A workspace: what texts one after the other leave behind, and what is said of them."""

from typing import Any

import pytest
from cplrt import CplFault

from cpl.diagnostics import CplError, Invalid
from cpl.kit.workspace_trace import calls_text, trace_expression
from cpl.workspace import Workspace


def after(*texts: str) -> tuple[Workspace, Any]:
    """A workspace that has run these texts, and the value of the last one."""
    workspace = Workspace()
    for text in texts:
        value = workspace.run(text)
    return workspace, value


def test_texts_make_one_program() -> None:
    for texts, value in (
        (["let n = 1", "n := n + 1", "n"], 2),
        (["F(x) = 2x", "F(F(3))"], 12),
        (["let A = 1; let B = A + 1", "B"], 2),
        (["let F(x) = x", "let G(x) = F(x)", "let F(x) = 10x", "G(2)"], 20),
        (["let n = 1", "let m = n + 1", "let n = 50", "m"], 2),
        (["let n = 1", "F(x) = x + n", "n := 5", "F(1)"], 2),
        (["let n = 1", "F(x) ≡ x + n", "n := 5", "F(1)"], 6),
        (["let n = 1", "let P[ref x] be x := x + 1", "P[n]", "n"], 2),
        (["let F(x) = x", "K(x) = F(x)", "let F(x,y) = x", "let F(x) = 7x", "K(2)"], 14),
        (["let n = 1"], None),
    ):
        assert after(*texts)[1] == value


def test_a_text_at_fault_changes_nothing() -> None:
    workspace, _ = after("let n = 1")
    for wrong in ("n := 2; Undefined(n)", "let n = 2 +", "let n = (3"):
        with pytest.raises(CplError) as caught:
            workspace.run(wrong)
        assert caught.value.diagnostics[0].span.source.text == wrong
    assert workspace.run("n") == 1


def test_what_ran_before_a_fault_has_its_effect_and_the_rest_can_be_typed_again() -> None:
    workspace, _ = after("let n = 1", "let m = 1")
    with pytest.raises(CplFault, match="division by zero"):
        workspace.run("n := 2; m := 1/0; n := 3")
    assert workspace.run("[n,m]") == [2, 1]
    workspace = Workspace()
    with pytest.raises(CplFault, match="division by zero"):
        workspace.run("let n = 1/0; F(x) = 2x")
    workspace.run("F(x) = 2x")
    assert workspace.run("F(3)") == 6
    workspace, _ = after("F(x) = 1/x", "F(x) = 1/x")
    with pytest.raises(CplFault) as caught:
        workspace.run("F(0)")
    assert caught.traceback[-1].frame.code.raw.co_filename == "<entry 2>"


def test_a_warning_is_given_once_and_what_does_not_fit_is_set_aside_until_it_does() -> None:
    workspace, _ = after("G(x) = value of § result is x; Write(x) §")
    assert [each.code for each in workspace.warnings] == ["unreachable"]
    assert workspace.run("G(1)") == 1
    assert workspace.warnings == []
    workspace, _ = after("let F(x) = x", "K(x) = F(x)", "let F(x,y) = x + y")
    [warning] = workspace.warnings
    assert warning.code == "wrong-count" and "set aside" in (warning.help or "")
    with pytest.raises(CplError, match="K is not defined"):
        workspace.run("K(1)")
    workspace.run("let F(x) = 2x")
    assert workspace.run("K(1)") == 2


def test_names_values_python_and_types_are_found_without_evaluation() -> None:
    workspace, _ = after("F(x) = x + 1", "let n = F(2)")
    assert workspace.names == ["F", "n"]
    assert workspace.values["n"] == 3
    assert "return x + 1" in workspace.python("F")
    with pytest.raises(Invalid, match="Facts is not defined here"):
        workspace.python("Facts")
    workspace, _ = after("let n = 0", "F(x) ≡ value of § n := n + 1; result is x > 0 §")
    assert workspace.type_of("F(1)") == "Boolean"
    assert workspace.run("n") == 0
    with pytest.raises(CplError, match="expected a number, found a string"):
        workspace.type_of("1 + ‘a’")
    for no_expression in ("let x = 1", ""):
        with pytest.raises(Invalid, match="expected one expression"):
            workspace.type_of(no_expression)


def test_a_trace_is_a_tree_of_live_calls_and_shows_where_a_run_fails() -> None:
    workspace, _ = after("let n = 1", "Fact(x) ≡ value of § n := n + 1; result is x = 0 → 1, x × Fact(x - 1) §")
    call = trace_expression(workspace, "Fact(2) + 1")
    assert calls_text(call, depth=3).splitlines() == [
        "Fact(2) + 1 = 3",
        "  Fact(2) = 2",
        "    Fact(1) = 1  (1 call within)",
    ]
    assert workspace.run("n") == 4
    assert calls_text(trace_expression(workspace, "Fact( 1 )")).splitlines() == ["Fact(1) = 1", "  Fact(0) = 1"]
    workspace, _ = after("H(x) = x = 0 → 1/0, H(x - 1)")
    call = trace_expression(workspace, "H(1)")
    assert calls_text(call).splitlines() == ["H(1): division by zero", "  H(0): division by zero"]


def test_what_a_function_has_captured_changes_by_a_new_definition_alone() -> None:
    """Not because its Python changes: here n gets a place that others refer to."""
    workspace, _ = after("let n = 3", "F(x) = x + n", "n := 10", "routine W(ref a) is a := a + 1", "W(n)")
    assert workspace.run("F(1)") == 4
    workspace.run("let n = 7")
    assert workspace.run("F(1)") == 8
    workspace.run("n := 20")
    assert workspace.run("F(1)") == 8
