/** Python in a worker, as a page sees it: questions go in, promises of answers come out. */

import { make } from "../../../../cpl/study/views/static/elements.js";
import { keepAll } from "./keep.js";
import { FAILED, Questions } from "./questions.js";

export { Outdated, Refused, Stopped, quietly } from "./questions.js";

const WORDS = {
  loading: "Python is loading…",
  ready: "Python is ready.",
  busy: "Python is working…",
  failed: FAILED,
};
const STARTING = "Python is starting…";
const MORE = "More of Python is loading, as this needs it…";

const WORKER = new URL("./worker.js", import.meta.url).href;
/**
 * What a worker runs. One that is made from the address of its script has the policy that is sent with it, and a server of
 * files sends none; one that is made from a blob has the policy of the page.
 */
const SCRIPT = new Blob([`import ${JSON.stringify(WORKER)};`], { type: "text/javascript" });
const ADDRESS = URL.createObjectURL(SCRIPT);

export class Python extends Questions {
  /** @param {(state: keyof typeof WORDS, words: string, came: number) => void} changed `came` is a part of 1 */
  constructor(changed) {
    let isKept = false;
    super(
      () => new Worker(ADDRESS, { type: "module" }),
      (state, came, isMore) => {
        const isStarting = state === "loading" && came >= 1;
        changed(state, isMore ? MORE : isStarting ? STARTING : WORDS[state], came);
        if (state === "ready" && !isKept) keepAll(); // not before, as the two would load side by side
        isKept ||= state === "ready";
      },
    );
  }
}

/**
 * Python for a page whose element `[data-python]` says quietly how it stands, with a bar while it loads.
 * @param {(state: string) => void} changed
 */
export function pythonOf(changed = () => {}) {
  const place = document.querySelector("[data-python]");
  const bar = make("progress", { "aria-label": "Python" });
  return new Python((state, words, came) => {
    document.documentElement.dataset.python = state;
    if (place && place.textContent !== words) place.replaceChildren(words, bar);
    bar.hidden = state !== "loading" || !came || came >= 1;
    if (!bar.hidden) bar.value = came;
    changed(state);
  });
}
