/** Python in a worker, as a page sees it: questions go in, promises of answers come out. */

import { make } from "../../../../cpl/study/views/static/elements.js";

export class Stopped extends Error {}

/** What a question can be refused with: the text is for people. */
export class Refused extends Error {}

const WORDS = {
  loading: "Python is loading…",
  ready: "Python is ready.",
  busy: "Python is working…",
  failed: "Python could not be loaded. Reload the page to try again.",
};
const STARTING = "Python is starting…";
const MORE = "More of Python is loading, as this needs it…";

const WORKER = new URL("./worker.js", import.meta.url).href;
/**
 * What a worker runs. One that is made from the address of its script has the policy that is sent with it, and a server of
 * files sends none; one that is made from a blob has the policy of the page.
 */
const SCRIPT = new Blob([`import ${JSON.stringify(WORKER)};`], { type: "text/javascript" });

export class Python {
  /** @param {(state: keyof typeof WORDS, words: string, came: number) => void} changed `came` is a part of 1 */
  constructor(changed) {
    this.changed = changed;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.count = 0;
    this.state = "";
    this.isReady = false;
    this.came = 0;
    this.worker = this.#start();
  }

  /**
   * @param {string} ask one of the questions of cpl/editors/browser/answers.py
   * @param {object} given its arguments
   * @returns {Promise<any>}
   */
  ask(ask, given) {
    const number = ++this.count;
    if (this.state === "failed") return Promise.reject(new Refused(WORDS.failed));
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ number, request: JSON.stringify({ ask, ...given }) });
      this.#show();
    });
  }

  /** End whatever runs, and start Python anew. */
  stop(why = "stopped") {
    this.worker.terminate();
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.worker = this.#start();
    for (const { reject } of waiting) reject(new Stopped(why));
  }

  #start() {
    this.isReady = false;
    this.came = 0;
    const worker = new Worker(URL.createObjectURL(SCRIPT), { type: "module" });
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = () => this.#fail();
    this.#show();
    return worker;
  }

  /** @param {any} data */
  #receive(data) {
    if (data.dead) {
      if (this.isReady) this.stop(data.dead);
      else this.#fail();
      return;
    }
    if (data.more) {
      this.#tell("busy", MORE);
      return;
    }
    if (data.came) {
      this.came = data.came;
      this.#tell("loading", this.came < 1 ? WORDS.loading : STARTING);
      return;
    }
    if (data.ready) {
      this.isReady = true;
      keepSite();
    }
    const asked = this.waiting.get(data.number);
    this.waiting.delete(data.number);
    this.#show();
    if (asked && data.error !== undefined) asked.reject(new Refused(data.error));
    else asked?.resolve(data.answer);
  }

  #fail() {
    this.#tell("failed");
    for (const { reject } of this.waiting.values()) reject(new Refused(WORDS.failed));
    this.waiting.clear();
  }

  #show() {
    this.#tell(!this.isReady ? "loading" : this.waiting.size ? "busy" : "ready");
  }

  /** @param {keyof typeof WORDS} state */
  #tell(state, words = WORDS[state]) {
    this.state = state;
    this.changed(state, words, this.came);
  }
}

/** Let the browser keep the site, so that it works without a net; not before, as the two would load side by side. */
function keepSite() {
  navigator.serviceWorker?.register(new URL("../service.js", import.meta.url)).catch(() => {}); // it may have no room
}

/**
 * A function that answers for the newest of its calls only: while it works, later calls wait, and all but the last
 * of them are forgotten.
 * @param {(...given: any[]) => Promise<void>} work
 */
export function newest(work) {
  /** @type {any[] | null} */
  let next = null;
  let isBusy = false;
  return async (/** @type {any[]} */ ...given) => {
    next = given;
    if (isBusy) return;
    isBusy = true;
    while (next) {
      const now = next;
      next = null;
      try {
        await work(...now);
      } catch (error) {
        if (!(error instanceof Stopped)) console.warn(error);
      }
    }
    isBusy = false;
  };
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
