/** What was made on a page before: a line above the work offers it; it can be forgotten, there and at the foot. */

import { button, make } from "../../../../cpl/study/views/static/elements.js";
import { find } from "./page.js";

/** @import { Kept, State } from "./state.js" */

const LONGEST_NAME = 40;
const UNKEPT =
  "This browser cannot keep what you write here: its storage is full or not allowed. Copy it before you leave the page.";
const FORGET =
  "Forget all texts and games of yours that this browser keeps for this site? This also clears the page. The history of the browser can still have addresses with your texts.";

/**
 * Offer the works of a page, and say once if the browser cannot keep another one.
 * @param {Kept} kept
 * @param {(state: State) => string} [called] what a work is called
 */
export function offerWorks(kept, called = nameOf) {
  kept.unkept = () => find("#address").before(make("p", { class: "notice", role: "status" }, [UNKEPT]));
  find("footer p").append(
    " ",
    button("Forget what you wrote", () => forget(kept)),
  );
  const works = kept.isOwn ? [] : kept.offered();
  if (!works.length) return;
  const names = works.map(({ at, state }) => `${called(state)}, ${dated(at)}`);
  const choice = make(
    "select",
    { "aria-label": "What you were working on" },
    names.map((name, index) => make("option", { value: index }, [name])),
  );
  const goOn = button("Go on", () => {
    line.remove();
    kept.takeUp(works[works.length > 1 ? choice.selectedIndex : 0]);
  });
  const line = make("div", { class: "notice offer", role: "group", "aria-label": "Your work from before" }, [
    make("span", {}, ["You were working on ", works.length > 1 ? choice : names[0]]),
    goOn,
    button("Begin anew", () => line.remove()),
    button("Forget", () => forget(kept)),
  ]);
  find("#address").before(line);
}

/** @param {Kept} kept */
function forget(kept) {
  if (!confirm(FORGET)) return;
  kept.forget();
  location.replace(location.pathname + location.search);
}

/** @param {State} state */
function nameOf({ example, text, call, moves }) {
  if (moves.length) return `a game of ${moves.length} ${moves.length > 1 ? "moves" : "move"}`;
  if (example) return `${example}, with your ${text === null ? "call" : "changes"}`;
  const [line = ""] = (text ?? call ?? "").split("\n").filter((each) => each.trim());
  return `“${line.length > LONGEST_NAME ? `${line.slice(0, LONGEST_NAME)}…` : line}”`;
}

/** @param {number} at */
const dated = (at) => new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
