/**
 * What a visitor makes on a page, kept by the browser also when the tab is closed.
 *
 * A work is what one entry of the history of a tab shows, and has the name of that entry. One tab alone writes it: a tab
 * that finds under its name what it did not write, because it was duplicated or both took up one work, takes another name.
 */

import { attempt } from "./storage.js";

/** @import { State } from "./state.js" */
/** @typedef {{id: string, at: number, state: State}} Work `at` is when it was changed, in milliseconds */

/** Works of a page that are kept; older ones give way. */
export const MOST_WORKS = 20;

const KEPT = "cplc work";

export class Works {
  /** @param {Pick<Window, "localStorage" | "location">} browser */
  constructor(browser) {
    this.browser = browser;
    this.page = browser.location.pathname.replace(/\/$/, "/index.html");
    /** @type {Map<string, string>} what this tab wrote or took up, by the names of works */
    this.known = new Map();
  }

  /**
   * Whether another tab has written something else under this name.
   * @param {string} id
   * @param {State} state
   */
  isTaken(id, state) {
    const text = this.#read(id);
    const there = parsed(text)?.state;
    return text !== this.known.get(id) && there !== undefined && !isSameWork(there, state);
  }

  /**
   * Keep a work; the result is false if the storage is full or forbidden.
   * @param {string} id
   * @param {State} state
   */
  keep(id, state) {
    const isNew = !this.known.has(id);
    const text = JSON.stringify({ at: Date.now(), state });
    const put = () => (this.browser.localStorage.setItem(this.#key(id), text), true);
    const isKept = attempt(put) ?? false;
    if (isKept) this.known.set(id, text);
    if (isKept && isNew) for (const old of this.#all().slice(MOST_WORKS)) this.drop(old.id);
    return isKept;
  }

  /**
   * Write the work of this name from now on; the result is how it is kept, null if it is not.
   * @param {string} id
   * @returns {State | null}
   */
  takeUp(id) {
    const text = this.#read(id);
    if (text !== null) this.known.set(id, text);
    return parsed(text)?.state ?? null;
  }

  /**
   * Go on with what this tab has of a work. Another tab may have changed it since; then it is taken.
   * @param {string} id
   * @param {State} state
   * @returns {boolean} whether there is such a work
   */
  goOn(id, state) {
    const text = this.#read(id);
    const there = parsed(text)?.state;
    if (text !== null && there && isSameWork(there, state)) this.known.set(id, text);
    return text !== null;
  }

  /** @param {string} id */
  drop(id) {
    attempt(() => this.browser.localStorage.removeItem(this.#key(id)));
  }

  /**
   * The works of this page, the newest first; of those that are the same, and of the one that is shown, none twice.
   * @param {State} shown
   */
  offered(shown) {
    /** @type {Work[]} */
    const offered = [];
    for (const work of this.#all()) {
      const seen = [shown, ...offered.map(({ state }) => state)];
      if (!seen.some((state) => isSameWork(state, work.state))) offered.push(work);
    }
    return offered;
  }

  /** Forget the works of all pages of the site. */
  forget() {
    const folder = this.page.replace(/[^/]*$/, "");
    for (const key of this.#keys(`${KEPT} ${folder}`)) attempt(() => this.browser.localStorage.removeItem(key));
  }

  #all() {
    /** @type {Work[]} */
    const works = [];
    for (const key of this.#keys(this.#key(""))) {
      const id = key.slice(this.#key("").length);
      const found = parsed(this.#read(id));
      if (found) works.push({ id, ...found });
    }
    return works.sort((one, other) => other.at - one.at);
  }

  /** @param {string} id */
  #key(id) {
    return `${KEPT} ${this.page} ${id}`;
  }

  /** @param {string} start */
  #keys(start) {
    const { length } = attempt(() => this.browser.localStorage) ?? { length: 0 };
    const keys = Array.from({ length }, (_, index) => this.browser.localStorage.key(index) ?? "");
    return keys.filter((key) => key.startsWith(start));
  }

  /** @param {string} id */
  #read(id) {
    return attempt(() => this.browser.localStorage.getItem(this.#key(id)));
  }
}

/**
 * What the browser keeps of a work; null if it is none, as other programs can write there, too.
 * @param {string | null} text
 * @returns {{at: number, state: State} | null}
 */
function parsed(text) {
  const found = attempt(() => JSON.parse(text ?? "null"));
  return Array.isArray(found?.state?.moves) ? found : null;
}

/**
 * Whether two states have the same program, call and game, however they are shown.
 * @param {State} one
 * @param {State} other
 */
export function isSameWork(one, other) {
  const isSameProgram = one.text === other.text && one.call === other.call;
  return isSameProgram && one.fen === other.fen && one.moves.join(" ") === other.moves.join(" ");
}
