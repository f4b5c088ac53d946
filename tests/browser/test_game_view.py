"""Games to look through, as people do: buttons, keys, the slider, the list of moves."""

from collections.abc import Callable
from typing import Any

import pytest

import cpl
from cpl.study.views.boards import GameView

Show = Callable[..., Any]


@pytest.fixture(scope="module")
def game() -> GameView:
    return cpl.game_view(cpl.read_game("1. 11-15 22-18 2. 15x22 25x18 1-0"))


def page(*views: Any) -> str:
    return f"<!doctype html><meta charset=utf-8><body>{''.join(view._repr_html_() for view in views)}"


def shown(view: Any) -> str:
    """The move that is marked in the list, and what is said of it."""
    marked = view.locator(".moves [aria-current=true]").first.inner_text()
    return f"{marked}: {view.locator('.says').first.inner_text()}"


def test_buttons_keys_slider_and_list(show: Show, game: GameView) -> None:
    view = show(page(game))
    assert shown(view).startswith("Start")
    view.get_by_role("button", name="Forward").click()
    assert shown(view).startswith("1. 11-15: ")
    for key, move in (("End", "25x18"), ("ArrowLeft", "15x22")):
        view.keyboard.press(key)
        assert move in shown(view)
    view.get_by_role("slider").fill("2")
    assert "22-18" in shown(view)
    view.get_by_role("button", name="1. 11-15").click()
    assert shown(view).startswith("1. 11-15: ")
    view.get_by_role("button", name="Back").click()
    assert shown(view).startswith("Start")
    assert view.get_by_role("button", name="Back").is_disabled()
    for frame in game.frames:
        assert view.locator(".player svg title").first.text_content() in frame.board.svg()
        assert view.locator(".player svg").first.locator("text").count() == frame.board.svg().count("<text")
        view.locator(".player").first.focus()
        view.keyboard.press("ArrowRight")
    view.get_by_role("slider").fill("0")
    view.get_by_role("button", name="Play").click()
    view.get_by_role("button", name="Pause").wait_for()
    view.locator(".moves [aria-current=true]", has_text="25x18").wait_for()
    view.get_by_role("button", name="Play").wait_for()


def test_two_games_on_a_page_do_not_disturb_each_other(show: Show, game: GameView) -> None:
    view = show(page(game, game))
    view.get_by_role("button", name="Forward").nth(1).click()
    assert shown(view).startswith("Start")
    assert view.locator(".says").nth(1).inner_text() != view.locator(".says").nth(0).inner_text()


def test_without_scripts_there_is_a_strip(show: Show, game: GameView) -> None:
    view = show(page(game), java_script_enabled=False)
    assert view.locator(".strip img").count() == 5
    assert view.locator(".strip").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_into_400_pixels(show: Show, scheme: str, game: GameView) -> None:
    view = show(page(game, cpl.search_tree()), width=400, color_scheme=scheme)
    assert view.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert view.locator(".player svg").first.bounding_box()["width"] <= 400


def test_a_tree_unfolds(show: Show) -> None:
    view = show(page(cpl.search_tree()))
    move = view.locator("details", has=view.locator("summary", has_text="12-16")).last
    assert not move.locator("li").first.is_visible()
    move.locator("summary").first.click()
    assert move.locator("li").first.is_visible()
