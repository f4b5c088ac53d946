/**
 * The questions of a page to the worker in which Python runs: one is at work, the others wait for it.
 *
 * What a page asks by itself, about a text that one is writing, is of no use once there is a newer text. Such a question
 * says whether its answer is still wanted. If it is not, it is forgotten while it waits; and while it is at work, others
 * wait for it only as long as they must: then the worker is given up, and another one starts.
 */

export class Stopped extends Error {}

/** Nobody wanted the answer any more. */
export class Outdated extends Stopped {}

/** What a question can be refused with: the text is for people. */
export class Refused extends Error {
  /**
   * @param {string} text
   * @param {import("./beside.js").Finding[]} [findings] what is wrong with the text or the call that was sent
   */
  constructor(text, findings = []) {
    super(text);
    this.findings = findings;
  }
}

/**
 * What is said if Python does not start.
 * @param {string} why
 */
function failure(why) {
  const sentence = `Python could not be loaded: ${why}`.replace(/(?<![.?])$/, ".");
  return `${sentence} Reload the page. If that does not help, the server may lack a part of the site.`;
}

const NO_WORKER = "assets/worker.js, or a file that it needs, did not load";

/** Milliseconds that a start from stored memory takes, about. */
const QUICK_START = 1_000;
/** Milliseconds that a text rests before it is compiled: at least, and at most. */
const [SHORTEST_PAUSE, LONGEST_PAUSE] = [120, 1_500];

/** @typedef {"loading" | "ready" | "busy" | "failed"} State */
/** @typedef {Pick<Worker, "postMessage" | "terminate" | "onmessage" | "onerror"> & {began?: number}} PythonWorker `began` is when, if it had begun before */
/**
 * @typedef {object} News what a worker says besides answers
 * @property {boolean} [ready] it has started
 * @property {boolean} [remembered] its memory is stored, so that the next one starts sooner
 * @property {number} [came] how much of Python has come, as a part of 1
 * @property {boolean} [more] a question needs more of Python, which is loading
 */
/** @typedef {Pick<Window, "setTimeout" | "clearTimeout"> & {performance: Pick<Performance, "now">}} Clock */

/**
 * @typedef {object} Question
 * @property {number} number
 * @property {string} ask
 * @property {object} given
 * @property {() => boolean} [wanted]
 * @property {(answer: any) => void} resolve
 * @property {(error: Error) => void} reject
 */

export class Questions {
  /**
   * @param {() => PythonWorker} makeWorker
   * @param {(state: State, came: number, isMore: boolean, trouble: string) => void} changed how much of Python has come,
   * as a part of 1, whether a question waits for more of it, and why it did not start
   * @param {Clock} [clock]
   */
  constructor(makeWorker, changed, clock = window) {
    this.makeWorker = makeWorker;
    this.changed = changed;
    this.clock = clock;
    /** @type {Question[]} */
    this.waiting = [];
    /** @type {Question | null} */
    this.working = null;
    this.count = 0;
    this.isReady = false;
    /** Why it did not start, if it did not. */
    this.trouble = "";
    this.came = 0;
    /** When the worker began what it does: its start, or a question. */
    this.began = 0;
    /** Milliseconds that the next start may take. */
    this.startTakes = Infinity;
    /** @type {Map<string, number>} milliseconds that the last question of each name was at work */
    this.took = new Map();
    this.timer = 0;
    /** Whether what is at work has more of Python loaded: it would have to be loaded again. */
    this.isLoadingMore = false;
    this.worker = this.#start();
  }

  /** @returns {State} */
  get state() {
    if (this.trouble) return "failed";
    if (!this.isReady) return "loading";
    return this.working ? "busy" : "ready";
  }

  /**
   * Milliseconds for which a text rests before it is compiled: the more, the longer the last one took, so that a long
   * text is not compiled at each key.
   */
  get pause() {
    const took = (this.took.get("check") ?? 0) + (this.took.get("python") ?? 0);
    return Math.min(Math.max(took / 3, SHORTEST_PAUSE), LONGEST_PAUSE);
  }

  /** Milliseconds for which a question may stand in the way that nobody wants any more: twice what a start takes. */
  get patience() {
    return 2 * Math.max(this.startTakes, QUICK_START);
  }

  /**
   * @param {string} ask one of the questions of cpl/editors/browser/answers.py
   * @param {object} given its arguments
   * @param {() => boolean} [wanted] of what a page asks by itself: whether it is still of use
   * @returns {Promise<any>}
   */
  ask(ask, given, wanted) {
    if (this.trouble) return Promise.reject(new Refused(this.trouble));
    return new Promise((resolve, reject) => {
      this.waiting.push({ number: ++this.count, ask, given, wanted, resolve, reject });
      this.#next();
    });
  }

  /**
   * End what is at work, and what waits. What the page asks by itself goes on to wait if it was not in the way: one who
   * stops a run has nothing against the text being compiled.
   * @param {string} [why] what those are told who wait
   * @returns {boolean} whether it was something that the page had asked by itself
   */
  stop(why = "stopped") {
    const { working } = this;
    const isByItself = Boolean(working?.wanted);
    const ended = this.waiting.filter(({ wanted }) => isByItself || !wanted);
    this.waiting = this.waiting.filter((question) => !ended.includes(question));
    if (working) this.#restart(new Stopped(why));
    for (const { reject } of ended) reject(new Stopped(why));
    this.#next();
    return isByItself;
  }

  #start() {
    this.isReady = false;
    this.came = 0;
    const worker = this.makeWorker();
    this.began = worker.began ?? this.clock.performance.now(); // the head of the page may have begun it before
    worker.onmessage = ({ data }) => this.#receive(data);
    worker.onerror = () => this.#fail(NO_WORKER);
    this.#tell();
    return worker;
  }

  /**
   * @param {Error} why what was at work is not answered
   */
  #restart(why) {
    this.worker.terminate();
    const asked = this.#end();
    this.worker = this.#start();
    asked?.reject(why);
  }

  /** @param {{dead?: string, number?: number, error?: string, findings?: import("./beside.js").Finding[], answer?: any} & News} data */
  #receive({ dead, number, error, findings, answer, ...news }) {
    if (dead && !this.isReady) {
      this.#fail(dead);
    } else if (dead) {
      this.#restart(new Stopped(`${dead.replace(/\.$/, "")}. Python is starting again.`));
    } else if (number !== undefined) {
      const asked = this.#end();
      if (error === undefined) asked?.resolve(answer);
      else asked?.reject(new Refused(error, findings));
      this.#next();
    } else {
      this.#hear(news);
    }
  }

  /** @param {News} news */
  #hear(news) {
    if (news.ready) {
      this.isReady = true;
      this.startTakes = this.clock.performance.now() - this.began;
    }
    if (news.remembered) this.startTakes = QUICK_START;
    if (news.came) this.came = news.came;
    this.isLoadingMore ||= Boolean(news.more);
    this.#tell();
    if (news.ready) this.#next();
  }

  /** Nothing is at work any more; return what was. */
  #end() {
    this.clock.clearTimeout(this.timer);
    this.timer = 0;
    this.isLoadingMore = false;
    const { working } = this;
    this.working = null;
    if (working) this.took.set(working.ask, this.clock.performance.now() - this.began);
    return working;
  }

  /** @param {string} why */
  #fail(why) {
    const working = this.#end();
    const asked = working ? [working, ...this.waiting] : this.waiting;
    this.trouble = failure(why);
    this.waiting = [];
    this.#tell();
    for (const { reject } of asked) reject(new Refused(this.trouble));
  }

  /** Begin what waits, if the worker is free, and see whether it waits in vain. */
  #next() {
    const outdated = this.waiting.filter((question) => !isWanted(question));
    this.waiting = this.waiting.filter(isWanted);
    for (const { reject } of outdated) reject(new Outdated("outdated"));

    if (this.isReady && !this.working && this.waiting.length) {
      const [first, ...others] = this.waiting;
      this.working = first;
      this.waiting = others;
      this.began = this.clock.performance.now();
      this.worker.postMessage({ number: first.number, request: JSON.stringify({ ask: first.ask, ...first.given }) });
    }
    this.#tell();

    if (this.working && this.waiting.length && !isWanted(this.working)) {
      this.timer ||= this.clock.setTimeout(() => this.#giveUp(), this.patience);
    }
  }

  #tell() {
    this.changed(this.state, this.came, this.isLoadingMore, this.trouble);
  }

  #giveUp() {
    this.timer = 0;
    const isOutdated = this.working && !isWanted(this.working); // the text may be what it was, again
    if (isOutdated && !this.isLoadingMore) this.#restart(new Outdated("outdated"));
  }
}

/** @param {Question} question */
function isWanted({ wanted }) {
  return wanted?.() ?? true;
}

/**
 * What a page does by itself for its text: that it was stopped is told to nobody.
 * @param {() => Promise<void>} work
 */
export async function quietly(work) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Stopped)) console.warn(error);
  }
}
