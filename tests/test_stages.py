"""A text at every stage of the compiler."""

import pytest

import cpl


def test_every_stage_of_a_function_is_shown() -> None:
    stages = cpl.stages("Twice(x) = 2x\n")
    assert "JUXTAPOSED" in stages.tokens
    assert "Operator kind='JUXTAPOSED'" in stages.surface
    assert "Binary operator='TIMES'" in stages.core
    assert stages.types == "Twice : real ⇒ real\n"
    assert stages.python == cpl.compile_text("Twice(x) = 2x\n").python
    assert [*stages.to_dict()] == ["cpl", "tokens", "surface", "core", "types", "python"]
    assert all(text in str(stages) for text in stages.to_dict().values())
    assert "Literal value=7" in cpl.stages("F(x) = x = 7 → 1, 2\n").core.replace("  ", "")
    assert "<script>" not in cpl.stages("let a = ‘<script>’\n")._repr_html_()


def test_a_text_that_is_wrong() -> None:
    with pytest.raises(cpl.CplError):
        cpl.stages("F(x) = (x")
    with pytest.raises(ValueError, match="reading"):
        cpl.stages("F(x) = x", reading="no such")
