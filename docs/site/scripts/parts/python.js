/** Python in a worker, as a page sees it: questions go in, promises of answers come out. */

import { keepAll } from "./keep.js";
import { Questions } from "./questions.js";
import { tell } from "./told.js";

export { Outdated, Refused, Stopped, quietly } from "./questions.js";

const WORDS = {
  loading: "Python is loading…",
  ready: "Python is ready.",
  busy: "Python is working…",
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

/**
 * The worker that the head of the page began, if there is one; it is taken once, and says again what it has said.
 * @returns {Worker | undefined}
 */
function begunWorker() {
  const { begun } = window;
  if (!begun) return undefined;
  delete window.begun;
  const { heard, at } = begun;
  const worker = Object.assign(begun.worker, { began: at });
  queueMicrotask(() => {
    for (const event of heard) worker.dispatchEvent(again(event));
  });
  return worker;
}

/**
 * An event like one that is over.
 * @param {MessageEvent | ErrorEvent} event
 */
const again = (event) =>
  event instanceof MessageEvent ? new MessageEvent("message", { data: event.data }) : new ErrorEvent("error");

export class Python extends Questions {
  /**
   * @param {(state: import("./questions.js").State, words: string, came: number, isLoading: boolean) => void} changed
   * `came` is a part of 1
   */
  constructor(changed) {
    let isKept = false;
    super(
      () => begunWorker() ?? new Worker(ADDRESS, { type: "module" }),
      (state, came, isMore, trouble) => {
        changed(state, wordsOf(state, came, isMore, trouble), came, state === "loading" || isMore);
        if (state === "ready" && !isKept) keepAll(); // not before, as the two would load side by side
        isKept ||= state === "ready";
      },
    );
  }
}

/**
 * @param {import("./questions.js").State} state
 * @param {number} came
 * @param {boolean} isMore
 * @param {string} trouble
 */
function wordsOf(state, came, isMore, trouble) {
  if (state === "failed") return trouble;
  if (isMore) return MORE;
  return state === "loading" && came >= 1 ? STARTING : WORDS[state];
}

/**
 * Python for a page whose elements with `data-python` say quietly how it stands, with a bar while it loads.
 * @param {(state: string) => void} changed
 */
export function pythonOf(changed = () => {}) {
  return new Python((state, words, came, isLoading) => {
    document.documentElement.dataset.python = state;
    tell({ words, came, isLoading });
    changed(state);
  });
}
