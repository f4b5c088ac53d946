/** Python in a worker, as a page sees it: questions go in, promises of answers come out. */

export class Stopped extends Error {}

/** What a question can be refused with: the text is for people. */
export class Refused extends Error {}

const WORDS = {
  loading: "Python is loading…",
  ready: "Python is ready.",
  busy: "Python is working…",
  failed: "Python could not be loaded. Reload the page to try again.",
};

export class Python {
  /** @param {(state: keyof typeof WORDS, words: string) => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void}>} */
    this.waiting = new Map();
    this.count = 0;
    this.state = "";
    this.#start();
  }

  /**
   * @param {string} ask one of the questions of cpl/edit/browser/answers.py
   * @param {object} given its arguments
   * @returns {Promise<any>}
   */
  ask(ask, given) {
    const number = ++this.count;
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
    this.#start();
    for (const { reject } of waiting) reject(new Stopped(why));
  }

  #start() {
    this.isReady = false;
    this.worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }) => this.#receive(data);
    this.worker.onerror = () => this.#tell("failed");
    this.#show();
  }

  /** @param {any} data */
  #receive(data) {
    if (data.dead) {
      if (this.isReady) this.stop(data.dead);
      else this.#tell("failed");
      return;
    }
    if (data.ready) this.isReady = true;
    const asked = this.waiting.get(data.number);
    this.waiting.delete(data.number);
    this.#show();
    if (asked && data.error !== undefined) asked.reject(new Refused(data.error));
    else asked?.resolve(data.answer);
  }

  #show() {
    this.#tell(!this.isReady ? "loading" : this.waiting.size ? "busy" : "ready");
  }

  /** @param {keyof typeof WORDS} state */
  #tell(state) {
    if (state === this.state) return;
    this.state = state;
    this.changed(state, WORDS[state]);
  }
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
 * Python for a page whose element `[data-python]` says quietly how it stands.
 * @param {(state: string) => void} changed
 */
export function pythonOf(changed = () => {}) {
  const place = document.querySelector("[data-python]");
  return new Python((state, words) => {
    document.documentElement.dataset.python = state;
    if (place) place.textContent = words;
    changed(state);
  });
}
