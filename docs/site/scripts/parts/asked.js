/**
 * The questions of a page to the worker in which games run: it answers one after the other. An analysis ends when
 * something else is asked.
 */

import { Stopped } from "./questions.js";

/** @typedef {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror">} GameWorker */
/** @typedef {Pick<Window, "setTimeout" | "clearTimeout">} Clock */
/** @typedef {{ask: string, given: any}} Question */
/** @typedef {{resolve: (answer: any) => void, reject: (error: Error) => void, report: (found: any) => void, asked: Question}} Waiting */

const ANSWERED = ["state", "choose", "understand", "why", "analyse"];
/** What may take long, so that one may want to stop it. */
const SLOW = ["choose", "why"];
/** Milliseconds that a worker has to end what is in the way, so that it keeps what it knows of positions. */
const GRACE = 600;

/** What the worker does not know, Python may. */
export class NotHere extends Error {}

/** The worker came to an error, or has died. */
export class Failed extends NotHere {}

/** The program gave a call up: the message says why. */
export class GaveUp extends Error {}

export class Asked {
  /**
   * @param {(() => GameWorker) | null} makeWorker null where no worker can run
   * @param {(isBusy: boolean) => void} changed when the worker begins or ends what may take long
   * @param {Clock} [clock]
   */
  constructor(makeWorker, changed, clock = window) {
    this.makeWorker = makeWorker;
    this.changed = changed;
    this.clock = clock;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Map<number, string>} what the worker has not answered yet, even if nobody waits for it any more */
    this.running = new Map();
    this.count = 0;
    this.timer = 0;
    this.worker = this.#start();
  }

  /**
   * @param {string} ask
   * @param {any} given
   * @param {(found: any) => void} [report]
   * @returns {Promise<any>}
   */
  ask(ask, given, report = () => {}) {
    if (!this.worker || !ANSWERED.includes(ask)) return Promise.reject(new NotHere());
    return new Promise((resolve, reject) => {
      const number = ++this.count;
      const asked = { ask, given };
      this.waiting.set(number, { resolve, reject, report, asked });
      this.#post(number, asked);
      this.#hurry();
      this.#tell();
    });
  }

  /** End an analysis; the lines that it has found stay. */
  endAnalysis() {
    this.worker?.postMessage({ ask: "stop" });
  }

  /** End whatever runs. What the worker knows of positions stays, unless it does not end soon. */
  stop() {
    const given = [...this.waiting.values()];
    this.waiting.clear();
    if (this.running.size) this.worker?.postMessage({ ask: "stop" });
    this.#hurry();
    for (const { reject } of given) reject(new Stopped("Stopped."));
    this.#tell();
  }

  #start() {
    const worker = this.makeWorker?.();
    if (!worker) return null;
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = () => this.#fail();
    return worker;
  }

  /** Whether a question that runs is one that nobody waits for, or an analysis after which something else was asked. */
  #isInTheWay = (/** @type {number} */ number) =>
    !this.waiting.has(number) || (this.running.get(number) === "analyse" && number < this.count);

  /** See to it that what is in the way ends soon. */
  #hurry() {
    if ([...this.running.keys()].some(this.#isInTheWay)) {
      this.timer ||= this.clock.setTimeout(() => this.#replace(), GRACE);
    } else {
      this.#rest();
    }
  }

  #rest() {
    this.clock.clearTimeout(this.timer);
    this.timer = 0;
  }

  /** Put another worker in the place of one that does not end. It is asked what is still wanted. */
  #replace() {
    this.#rest();
    this.worker?.terminate();
    const ended = [...this.waiting.keys()].filter(this.#isInTheWay);
    this.running.clear();
    this.worker = this.#start();
    for (const number of ended) this.#end(number)?.resolve(null);
    for (const [number, { asked }] of this.waiting) this.#post(number, asked);
  }

  /** Without the worker all is Python's. */
  #fail() {
    this.#rest();
    this.worker?.terminate();
    this.worker = null;
    this.running.clear();
    const given = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of given) reject(new Failed());
    this.#tell();
  }

  /**
   * @param {number} number
   * @param {Question} asked
   */
  #post(number, asked) {
    this.running.set(number, asked.ask);
    this.worker?.postMessage({ number, ...asked });
  }

  /** @param {any} data */
  #receive(data) {
    if (data.report) {
      this.waiting.get(data.number)?.report(data.report);
      return;
    }
    this.running.delete(data.number);
    const asked = this.#end(data.number);
    this.#hurry();
    if (data.failed) console.warn(data.failed);
    if (data.failed) asked?.reject(new Failed());
    else if (data.isNotHere) asked?.reject(new NotHere());
    else if (data.gaveUp) asked?.reject(new GaveUp(data.gaveUp));
    else asked?.resolve(data.answer);
    this.#tell();
  }

  /**
   * Nobody waits for a question any more; return who did.
   * @param {number} number
   */
  #end(number) {
    const asked = this.waiting.get(number);
    this.waiting.delete(number);
    return asked;
  }

  #tell() {
    this.changed([...this.waiting.values()].some(({ asked: { ask } }) => SLOW.includes(ask)));
  }
}
