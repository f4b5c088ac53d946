"""The step view, driven as readers drive it."""

from collections.abc import Callable
from typing import Any

from browser.runs import CALL, FAULT, VALUE, Run, jump, long
from cpl.study.views.steps import as_page, recording_html

Show = Callable[..., Any]


def step(view: Any) -> int:
    """The number of the step that is shown, from 1."""
    return int(view.locator(".count").inner_text().split()[1].replace(",", ""))


def press(view: Any, name: str) -> int:
    view.get_by_role("button", name=name).click()
    return step(view)


def marked(view: Any, side: str = ".source") -> str:
    return "".join(view.locator(f"{side} mark").all_inner_texts())


def lines(view: Any, side: str) -> list[str]:
    return [line.strip() for line in view.locator(f"{side} .line.here").all_inner_texts()]


def values(view: Any) -> dict[str, str]:
    rows = view.locator(".variables tr").all()
    return {row.locator("th").inner_text(): row.locator("code").inner_text() for row in rows}


def test_a_call_is_marked_and_named(show: Show) -> None:
    view = show(as_page(jump()))
    assert view.get_by_role("status").inner_text() == "Jump(P,Logical([15])) is called"
    assert marked(view) == "Jump(P, Φ)"


def test_a_step_shows_a_value_on_both_sides(show: Show) -> None:
    view = show(as_page(jump()))
    assert press(view, "Step ▶") == 4
    assert marked(view) == "Shift(Φ, 4)"
    assert view.locator(".after-value").inner_text().strip() == "→ Logical([19])"
    assert lines(view, ".target") == ["psi = Shift(Phi, 4)"]
    assert view.get_by_role("status").inner_text() == "The marked expression is Logical([19])"


def test_a_step_shows_variables_and_the_board(show: Show) -> None:
    view = show(as_page(jump()))
    press(view, "Step ▶")
    assert values(view)["Φ"] == "Logical([15])"
    assert "ψ" not in values(view)
    assert view.locator(".legend").inner_text().split("\n") == ["○ Φ", "● this value"]
    assert view.get_by_role("img").get_attribute("aria-label") == (
        "Black to play; black king on 5; " + "".join(f"black man on {n}; " for n in [*range(6, 13), *range(14, 18)])
        + "a king's mark without a piece on 20; white man on 28; white man on 29; white king on 30; "
        + "".join(f"white man on {n}; " for n in range(32, 40)) + "Φ: 15; this value: 19"
    )  # fmt: skip


def test_buttons_go_through_the_steps(show: Show) -> None:
    view = show(as_page(jump()))
    assert view.get_by_role("button", name="Back").get_attribute("aria-disabled") == "true"
    assert [press(view, "Step ▶"), press(view, "Step ▶"), press(view, "Back"), press(view, "Back")] == [4, 5, 4, 1]
    assert press(view, "Last") == 10
    assert press(view, "First") == 1
    assert [press(view, "Over") for _ in range(3)] == [4, 5, 8]
    assert [press(view, "Back"), press(view, "Out"), press(view, "Out")] == [6, 8, 10]
    press(view, "First")
    view.get_by_label("Function for Next").select_option("Double")
    assert press(view, "Next Double") == 6
    assert view.get_by_role("button", name="Next Double").get_attribute("aria-disabled") == "true"


def test_keys_go_through_the_steps(show: Show) -> None:
    view = show(as_page(jump()))
    found = []
    for key in ("ArrowRight", "End", "ArrowLeft", "Home", "ArrowUp", "Home", "n"):
        view.keyboard.press(key)
        found.append(step(view))
    assert found == [4, 10, 9, 1, 10, 1, 1]
    for _ in range(3):
        view.keyboard.press("ArrowDown")
    assert step(view) == 8


def test_the_slider_goes_through_the_steps(show: Show) -> None:
    view = show(as_page(jump()))
    slider = view.get_by_role("slider")
    slider.fill("6")
    assert step(view) == 7
    assert slider.get_attribute("aria-valuetext") == "step 7 of 10"
    slider.press("ArrowDown")
    assert step(view) == 8


def test_a_frame_of_the_stack_shows_its_values_and_positions_are_drawn(show: Show) -> None:
    view = show(as_page(jump()))
    view.get_by_role("slider").fill("6")
    assert values(view) == {"x": "3"}
    view.get_by_role("button", name="Jump(P,Logical([15]))").click()
    assert [*values(view)] == ["P", "Φ", "ψ"]
    assert marked(view) == "Double[3]"
    view.keyboard.press("ArrowRight")
    assert values(view) == {"result": "6", "x": "3"}
    view = show(as_page(jump()))
    view.keyboard.press("End")
    assert view.get_by_role("img").count() == 2
    view.get_by_role("button", name="Show P on the board").click()
    assert view.get_by_role("img").count() == 1
    assert view.locator(".part-name", has_text="Boards").count() == 1
    view = show(as_page(long(10)))
    assert view.locator(".part-name", has_text="Stack").count() == 1
    assert view.locator(".part-name", has_text="Boards").count() == 0


def test_faults_and_letters_beyond_the_basic_plane_are_told(show: Show) -> None:
    run = Run("Double(1)")
    run.add(CALL, -1, 0)
    run.add(FAULT, run.span("x + x"), b=run.value("there is no x"))
    run.document["fault"] = "there is no x"
    view = show(as_page(run.recording()))
    assert press(view, "Out") == 2
    assert view.get_by_role("status").inner_text() == "The run fails: there is no x"
    run = Run("𝔽", "F[𝔘] = ‘𝔘𝔘’, G[𝔘]\n", "")
    run.add(VALUE, run.span("G[𝔘]"), b=run.value("1"))
    assert marked(show(as_page(run.recording()))) == "G[𝔘]"


def test_the_colours_follow_the_system(show: Show) -> None:
    for scheme in ("light", "dark"):
        view = show(as_page(jump()), color_scheme=scheme)
        ground = view.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(int(part) for part in ground.strip("rgb()").split(",")) > 600) == (scheme == "light")


def test_a_narrow_as_page(show: Show) -> None:
    """One listing at a time, nothing beyond the edge, and the controls in sight."""
    view = show(as_page(jump()), width=400, height=800)
    view.keyboard.press("End")
    assert view.evaluate("document.documentElement.scrollWidth") <= 400
    python = view.locator(".target")
    assert not python.is_visible()
    view.get_by_role("button", name="Python").click()
    assert python.is_visible()
    assert not view.locator(".source").is_visible()
    box = view.locator(".controls").bounding_box()
    assert box
    assert box["y"] + box["height"] <= 800


def test_two_views_in_a_notebook_do_not_meddle(show: Show) -> None:
    view = show(f"<!DOCTYPE html>{recording_html(jump())}{recording_html(jump())}")
    first, second = view.locator(".cpl-steps").all()
    press(first, "Step ▶")
    assert (step(first), step(second)) == (4, 1)
    view.keyboard.press("ArrowRight")
    assert (step(first), step(second)) == (5, 1)


def test_without_scripts_the_result_and_both_texts_stand(show: Show) -> None:
    view = show(as_page(jump()), java_script_enabled=False)
    text = view.locator("main").inner_text()
    assert "Jump(Start, Φ)" in text
    assert "Result" in text
    assert "let ψ = Shift(Φ, 4)" in text
    assert "psi = Shift(Phi, 4)" in text


def test_a_hostile_text_is_only_a_text(show: Show) -> None:
    evil = "</script><script>document.title = 'taken'</script><img src=x onerror=\"document.title = 'taken'\">\u2028"
    run = Run(evil, f"F = ‘{evil}’\n", f"F = {evil!r}\n")
    run.document["sources"][0]["name"] = run.document["cut"] = evil
    run.document["functions"] = run.document["names"] = [evil, evil]
    run.add(CALL, -1, 0)
    run.add(1, run.document["function_spans"][0], 0, run.value(evil))
    run.document["result"] = run.value({"list": [run.value(evil)]})
    view = show(as_page(run.recording([evil])))
    view.keyboard.press("End")
    assert view.title() == evil.replace("\u2028", "<U+2028>")
    assert view.locator("img").count() == 0


def test_a_long_run_opens_at_once_and_every_step_is_near(show: Show) -> None:
    html = as_page(long())
    assert len(html.encode()) < 5_000_000
    view = show(html)
    opened = "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"
    assert view.evaluate(opened) < 2_000
    for number in (99_999, 12_347, 54_323, 2):
        view.get_by_role("slider").fill(str(number))
        assert str(number) in values(view).values()
    spent = """() => {
        const [slider] = document.querySelectorAll("input[type=range]");
        const start = performance.now();
        for (let step = 0; step < 100; step++) {
            slider.value = String(step * 997);
            slider.dispatchEvent(new Event("input"));
            document.body.getBoundingClientRect();
        }
        return (performance.now() - start) / 100;
    }"""
    assert view.evaluate(spent) < 50
