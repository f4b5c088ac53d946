/** What somebody has answered in lessons, and which of them are done: it stays in the storage of the browser. */

import { attempt } from "./storage.js";

/**
 * @typedef {object} Answered
 * @property {string} [text] the program, if it is not the one that the lesson begins with
 * @property {string} [call]
 * @property {Record<string, string>} [fields]
 * @property {boolean} [isDone]
 */

const PLACE = "cplc lessons";

export class Progress {
  /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} storage null where it is forbidden */
  constructor(storage) {
    this.storage = storage;
    /** @type {Map<string, Answered>} by the names of lessons */
    this.answers = new Map();
    this.#read();
  }

  /**
   * @param {string} name of a lesson
   * @returns {Answered}
   */
  of(name) {
    return this.answers.get(name) ?? {};
  }

  /**
   * @param {string} name of a lesson
   * @param {Answered} changes
   */
  change(name, changes) {
    this.#read(); // another tab may have written
    this.answers.set(name, { ...this.of(name), ...changes });
    const put = () => (this.storage?.setItem(PLACE, JSON.stringify([...this.answers])), true);
    if (!attempt(put)) this.storage = null; // it is full: the answers stay for as long as the page is open
  }

  forget() {
    this.answers.clear();
    attempt(() => this.storage?.removeItem(PLACE));
  }

  #read() {
    const stored = attempt(() => this.storage?.getItem(PLACE));
    const answers = attempt(() => new Map(JSON.parse(stored ?? "null"))); // null if what is stored there is not ours
    if (stored && answers) this.answers = answers;
  }
}
