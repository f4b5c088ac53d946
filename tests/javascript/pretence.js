/** A page that asks workers, without a browser: they answer when the test says so, and time stands still but for `pass`. */

export class Pretence {
  constructor() {
    this.now = 0;
    this.lastTimer = 0;
    /** @type {Map<number, {at: number, act: () => void}>} */
    this.timers = new Map();
    /** @type {{asked: any[], isEnded: boolean, onmessage: (event: {data: any}) => void}[]} */
    this.workers = [];
    this.clock = {
      performance: { now: () => this.now },
      setTimeout: (act, after) => {
        this.timers.set(++this.lastTimer, { at: this.now + after, act });
        return this.lastTimer;
      },
      clearTimeout: (timer) => this.timers.delete(timer),
    };
  }

  /** A worker that notes what it is asked, as `read` understands it. */
  newWorker(read = (message) => message) {
    const worker = {
      asked: [],
      isEnded: false,
      postMessage: (message) => worker.asked.push(read(message)),
      terminate: () => (worker.isEnded = true),
    };
    this.workers.push(worker);
    return worker;
  }

  /** The worker that there is now. */
  get worker() {
    return this.workers.at(-1);
  }

  pass(milliseconds) {
    this.now += milliseconds;
    for (const [timer, { at, act }] of [...this.timers]) {
      if (at <= this.now && this.timers.delete(timer)) act();
    }
  }
}
