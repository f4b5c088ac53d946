/**
 * Games to look through: in go the elements `.cpl-game` with their boards as data, out come players for them.
 *
 * Keys: ← and → go one move back and forward, Home and End to the ends, the space bar plays and pauses.
 */

import { button, make } from "./elements.js";

/**
 * @typedef {object} Frame a position, with the move that led to it
 * @property {string} label the move in the list
 * @property {string} says the move for readers who cannot see the board
 * @property {number[]} lines the lines of its drawing, by their numbers
 */

/** @typedef {{ lines: string[], frames: Frame[] }} Game the lines that all drawings share, and the positions */

/** Milliseconds from one move to the next. */
const PACE = 900;

for (const box of document.querySelectorAll(".cpl-game:not(.ready)")) {
  const data = box.querySelector('script[type="application/json"]');
  const still = box.querySelector(".still");
  if (!data?.textContent || !(still instanceof HTMLElement)) continue;
  box.classList.add("ready");
  still.before(player(JSON.parse(data.textContent)));
  still.hidden = true;
}

/**
 * @param {Game} game
 * @returns {HTMLElement}
 */
function player({ lines, frames }) {
  const last = frames.length - 1;
  let current = 0;
  let timer = 0;

  const board = make("div", { class: "board" });
  const says = make("p", { class: "says", "aria-live": "polite" });
  const items = frames.map(({ label }, ply) => button(label, () => jump(ply)));
  const moves = make("ol", { class: "moves", "aria-label": "Moves" });
  for (const item of items) moves.append(make("li", {}, [item]));
  const first = button("|◀", () => jump(0), "Go to the start");
  const back = button("◀ Back", () => jump(current - 1));
  const play = button("▶ Play", () => (timer ? pause() : start()));
  const forward = button("Forward ▶", () => jump(current + 1));
  const end = button("▶|", () => jump(last), "Go to the end");
  play.classList.add("play");
  const slider = make("input", { type: "range", min: "0", max: String(last), "aria-label": "Position" });
  slider.addEventListener("input", () => jump(Number(slider.value)));
  const controls = make("div", { class: "controls" });
  controls.append(first, back, play, forward, end, slider);

  // In JupyterLab arrows would go to other cells.
  const names = { class: "player", role: "group", tabindex: "0", "data-lm-suppress-shortcuts": "true" };
  const root = make("div", { ...names, "aria-label": "Game; arrow keys go through the moves" });
  root.append(board, moves, controls, says);
  root.addEventListener("keydown", onKey);
  show(0);
  return root;

  /** @param {number} ply */
  function show(ply) {
    current = Math.min(Math.max(ply, 0), last);
    const { says: move, lines: numbers } = frames[current];
    board.innerHTML = numbers.map((number) => lines[number]).join("\n");
    for (const [place, item] of items.entries()) {
      if (place === current) item.setAttribute("aria-current", "true");
      else item.removeAttribute("aria-current");
    }
    const { offsetTop, offsetHeight } = items[current];
    moves.scrollTop = offsetTop - (moves.clientHeight - offsetHeight) / 2;
    slider.value = String(current);
    says.textContent = current ? `Move ${current} of ${last}: ${move}.` : `Start. Moves: ${last}.`;
    slider.setAttribute("aria-valuetext", says.textContent);
    // A button that is `disabled` would lose the focus, and with it the keys.
    for (const each of [first, back]) each.setAttribute("aria-disabled", String(current === 0));
    for (const each of [forward, end]) each.setAttribute("aria-disabled", String(current === last));
    play.setAttribute("aria-disabled", String(last === 0));
  }

  /** @param {number} ply */
  function jump(ply) {
    pause();
    show(ply);
  }

  function start() {
    if (current === last) show(0);
    play.textContent = "❚❚ Pause";
    timer = window.setInterval(() => {
      show(current + 1);
      if (current === last || !root.isConnected) pause();
    }, PACE);
  }

  function pause() {
    window.clearInterval(timer);
    timer = 0;
    play.textContent = "▶ Play";
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => jump(current - 1),
      ArrowRight: () => jump(current + 1),
      Home: () => jump(0),
      End: () => jump(last),
    };
    if (!(event.target instanceof HTMLButtonElement)) keys[" "] = () => (timer ? pause() : start());
    const act = keys[event.key];
    if (!act) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
