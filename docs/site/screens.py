"""The lessons as HTML: a list of them, and a screen for each that can be read without scripts."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from posixpath import normpath
from typing import Any

import lessons
from lessons import Lesson
from markdown_it import MarkdownIt
from markdown_it.token import Token

import cpl
from cpl.editors.browser import answers
from cpl.study.exercises import EXERCISES
from cpl.study.exercises.two_hours import position_to_describe
from cpl.study.views.listing import coloured


@dataclass(frozen=True)
class Course:
    """Lessons that belong together: a title, where they come from, and a sentence about them."""

    title: str
    source: Path
    about: str
    lessons: tuple[Lesson, ...]


@cache
def courses() -> tuple[Course, ...]:
    """Both courses."""
    ten_minutes = "Each lesson has a program to change. For those who know Python, or another language."
    two_hours = "Twelve exercises for a class: read, mend and change a checkers program of 1966, then write CPL."
    return (
        Course("CPL in ten minutes", lessons.PAGE, ten_minutes, tuple(lessons.ten_minutes())),
        Course("Two hours with a program of 1966", lessons.NOTEBOOK, two_hours, tuple(lessons.two_hours())),
    )


def plan() -> str:
    """The list of all lessons."""
    parts = []
    for course in courses():
        items = "".join(f'<li><a href="#{each.name}">{escape(each.title)}</a></li>\n' for each in course.lessons)
        parts.append(
            f'<div class="course"><h2>{escape(course.title)}</h2>\n<p class="note">{escape(course.about)}</p>\n'
            f"<ol>\n{items}</ol></div>\n"
        )
    return "".join(parts)


def screens() -> str:
    """All lessons, one after the other; a script shows one at a time."""
    return "".join(_screen(course, number) for course in courses() for number in range(1, len(course.lessons) + 1))


def given() -> list[dict[str, Any]]:
    """What the script gets of each lesson: its name, and of a program its text, its call and what is known of it."""
    return [
        {
            "name": lesson.name,
            "program": lesson.program,
            "call": lesson.call,
            "check": None if lesson.program is None else answers.check(lesson.name, lesson.program, "set"),
        }
        for course in courses()
        for lesson in course.lessons
    ]


def _screen(course: Course, number: int) -> str:
    lesson = course.lessons[number - 1]
    markdown = _markdown(course.source)
    shown = "".join(
        markdown(part.text) if isinstance(part, lessons.Words) else _picture(part.source) for part in lesson.parts
    )
    if lesson.task:
        shown += f'<div class="task">{markdown(lesson.task)}</div>\n'
    if lesson.solution:
        shown += f"<details><summary>A solution</summary>\n{_listing(lesson.solution)}</details>\n"
    part = f", {lesson.part.partition(' (')[0]}" if lesson.part else ""
    place = escape(f"{course.title}{part}: {number} of {len(course.lessons)}")
    return (
        f'<section class="lesson" id="{lesson.name}" aria-labelledby="{lesson.name}-title">\n'
        f'<div class="words"><p class="note">{place}</p>\n'
        f'<h2 id="{lesson.name}-title" tabindex="-1">{escape(lesson.title)}</h2>\n{shown}</div>\n'
        f'<div class="work">{_given(lesson)}</div>\n</section>\n'
    )


def _given(lesson: Lesson) -> str:
    """The program to begin with, and what it writes; or a form with the names of the values that are asked for."""
    if lesson.program is None:
        fields = ""
        for name, field in EXERCISES[lesson.name].fields.items():
            line = f'name="{name}" autocomplete="off" spellcheck="false" placeholder="{escape(field.example)}"'
            fields += f"<label><span>{escape(name.replace('_', ' '))}</span> <input {line}></label>\n"
        return f'<form class="fields" aria-label="Your answer">\n{fields}</form>\n'
    return f'<div class="given">{_listing(lesson.program)}<div class="result">{_result(lesson)}</div></div>\n'


def _result(lesson: Lesson) -> str:
    """What the program to begin with writes, and the value of its call, as far as it can be run."""
    program = lesson.program or ""
    findings = answers.check(lesson.name, program, "set")["diagnostics"]
    if any(finding["severity"] == "error" for finding in findings):
        return ""
    found = answers.run(lesson.name, program, "set", lesson.call or "")
    written = f"<pre>{escape(found['written'])}</pre>" if found["written"] else ""
    values = "".join(f'<pre class="value">{escape(value)}</pre>' for value in found["values"] if not found["boards"])
    boards = f'<div class="boards">{"".join(found["boards"])}</div>' if found["boards"] else ""
    return written + values + boards


def _picture(source: str) -> str:
    """The picture of a value, as the notebook shows it."""
    game = cpl.load("strachey.cpl")
    value = eval(source, {"cpl": cpl, "game": game, "position_to_describe": position_to_describe})
    if hasattr(value, "svg"):
        return f'<div class="board">{value.svg()}</div>\n'
    html: str = value._repr_html_()
    return html


def _listing(text: str) -> str:
    lines = "".join(f'<span class="line">{line}</span>\n' for line in coloured(text.rstrip("\n")))
    return f'<pre class="cpl-listing" tabindex="0">{lines}</pre>'


def _markdown(source: Path) -> Callable[[str], str]:
    """Renders Markdown of a file: examples in colour, and links as they are from the page of lessons."""
    folder = source.parent.relative_to(lessons.ROOT).as_posix()

    def link(renderer: Any, tokens: list[Token], at: int, options: Any, environment: Any) -> str:
        address = str(tokens[at].attrs["href"])
        if not re.match(r"\w+:|#", address):
            tokens[at].attrs["href"] = _on_the_site(address, folder)
        return str(renderer.renderToken(tokens, at, options, environment))

    renderer = MarkdownIt("commonmark").enable("table")
    renderer.add_render_rule("fence", _code)
    renderer.add_render_rule("code_block", _code)
    renderer.add_render_rule("link_open", link)
    return lambda text: str(renderer.render(text))


def _on_the_site(address: str, folder: str) -> str:
    """Where a link of a file in a folder of the checkout leads on the site: pages, notebooks and programs are pages."""
    path, sign, place = address.partition("#")
    return re.sub(r"\.(md|ipynb|cpl)$", ".html", normpath(f"{folder}/{path}")) + sign + place


def _code(_: Any, tokens: list[Token], at: int, *__: Any) -> str:
    token = tokens[at]
    is_cpl = token.type == "code_block" or token.info == "cpl"
    return _listing(token.content) if is_cpl else f'<pre tabindex="0">{escape(token.content)}</pre>'
