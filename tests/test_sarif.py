"""SARIF as its specification has it: rules, places in units of UTF-16, fixes, addresses of files."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from command_line import run


def log(*arguments: str | Path, input: str = "", cwd: Path | None = None) -> dict[str, Any]:
    """The only run of the log that a command writes on standard error."""
    [found] = json.loads(run(*arguments, "--format-errors", "sarif", input=input, cwd=cwd).stderr)["runs"]
    return found


def put(text: str, region: dict[str, int], new: str) -> str:
    """A text with a region replaced, as a reader of SARIF would do it."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)] + [b""]

    def offset(line: int, column: int) -> int:
        return sum(map(len, lines[: line - 1])) + 2 * (column - 1)

    start = offset(region["startLine"], region["startColumn"])
    end = offset(region["endLine"], region["endColumn"])
    raw = text.encode("utf-16-le")
    return (raw[:start] + new.encode("utf-16-le") + raw[end:]).decode("utf-16-le")


def test_each_result_names_its_rule(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = value of § let y = 1; result is x §|\nG(x) = z { \n", encoding="utf-8")
    found = log("cpl", "check", "a.cpl", cwd=tmp_path)
    rules = found["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    assert found["results"]
    for result in found["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["help"]["text"] and rule["defaultConfiguration"]["level"] == result["level"]


def test_levels(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("F(x) = value of § let y = 1; result is x §|\n", encoding="utf-8")
    (tmp_path / "b.cpl").write_text("G(x) = z\n", encoding="utf-8")
    results = log("cpl", "check", "a.cpl", "b.cpl", cwd=tmp_path)["results"]
    assert [(each["ruleId"], each["level"]) for each in results] == [("unused", "warning"), ("unknown-name", "error")]


def test_a_sound_program_gives_an_empty_log(tmp_path: Path) -> None:
    (tmp_path / "a.cpl").write_text("Twice(x) = 2x\n", encoding="utf-8")
    found = log("cpl", "check", "a.cpl", cwd=tmp_path)
    assert (found["results"], found["tool"]["driver"]["rules"]) == ([], [])


def test_columns_count_units_of_utf_16(tmp_path: Path) -> None:
    text = "F(σ) = Length(‘𝜎σ’) + Oops(σ)\n"
    (tmp_path / "a.cpl").write_text(text, encoding="utf-8")
    found = log("cpl", "check", "a.cpl", cwd=tmp_path)
    assert found["columnKind"] == "utf16CodeUnits"
    regions = [each["locations"][0]["physicalLocation"]["region"] for each in found["results"]]
    assert put(text, regions[-1], "σ") == "F(σ) = Length(‘𝜎σ’) + σ(σ)\n"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_fix_repairs_the_text(tmp_path: Path, end: str) -> None:
    text = f"A(σ) = ‘𝜎σ’{end}F(σ) = (H(‘𝜎’, σ){end}H(x, y) = x{end}"
    (tmp_path / "a.cpl").write_bytes(text.encode())
    [result] = log("cpl", "check", "a.cpl", cwd=tmp_path)["results"]
    related = result["relatedLocations"][0]
    assert related["message"]["text"] and related["physicalLocation"]["region"]["startLine"] == 3
    for fix in result["fixes"]:
        [change] = fix["artifactChanges"]
        [replacement] = change["replacements"]
        (tmp_path / "b.cpl").write_bytes(
            put(text, replacement["deletedRegion"], replacement["insertedContent"]["text"]).encode()
        )
        rest = log("cpl", "check", "b.cpl", cwd=tmp_path)["results"]
        assert result["ruleId"] not in {each["ruleId"] for each in rest}, fix["description"]


def test_addresses(tmp_path: Path) -> None:
    inner = tmp_path / "here" / "é: 100%"
    inner.mkdir(parents=True)
    name = inner / "a b.cpl"
    for file in (name, tmp_path / "out.cpl"):
        file.write_text("F(x) = z\n", encoding="utf-8")
    results = log("cpl", "check", name, "../out.cpl", cwd=tmp_path / "here")["results"]
    below, outside = (each["locations"][0]["physicalLocation"]["artifactLocation"] for each in results)
    assert unquote(below["uri"]) == "é: 100%/a b.cpl"
    assert below["uri"].isascii() and not {*below["uri"]} & set(" :")
    assert below["uriBaseId"] == "%SRCROOT%"
    assert outside == {"uri": (tmp_path / "out.cpl").as_uri()}


def test_braces_of_a_message_are_doubled() -> None:
    [result] = log("cplc", "-", input="F(x) = x {\n")["results"]
    assert "{{" in result["message"]["text"]


@pytest.mark.parametrize("command", [("cplc",), ("cpl", "run"), ("cpl", "fmt"), ("cpl", "trace", "--call=F(1)")])
def test_every_command_that_reads_cpl_writes_it(command: tuple[str, ...]) -> None:
    assert log(*command, "-", input="F(x) = (x\n")["results"]
