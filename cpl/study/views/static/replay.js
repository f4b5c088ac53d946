/**
 * A recorded run as a sequence of states: in go the columns of a trace, out comes what holds after any step.
 *
 * One pass links each step to its frame and to the last change of a variable there. The state after a step is then
 * found by following links, without replaying what came before.
 */

/**
 * @typedef {string | {list: number[]} | {tuple: number[]} | {bits: string} | {position: [number, number, number, string]}
 *   | {function: string}} Value
 */

/**
 * @typedef {object} Trace
 * @property {string} title
 * @property {string | null} cut
 * @property {number | null} result
 * @property {string | null} fault
 * @property {{name: string, cpl: string}[]} sources
 * @property {string | null} python
 * @property {[number, number, number, number][]} python_lines
 * @property {[number, number, number][]} spans
 * @property {string[]} functions
 * @property {number[]} function_spans
 * @property {number[]} arities
 * @property {string[]} names
 * @property {Value[]} values
 * @property {{kind: number[], span: number[], a: number[], b: number[]}} steps
 */

/** @typedef {{call: number, name: string}} Frame a call that is not over, by the step that began it */

/** @typedef {{name: string, value: number, step: number}} Variable */

export const CALL = 0;
export const SET = 1;
export const VALUE = 2;
export const RETURN = 3;
export const FAULT = 4;

const NONE = -1;

export class Replay {
  /** @param {Trace} trace */
  constructor(trace) {
    const { kind } = trace.steps;
    this.trace = trace;
    this.length = kind.length;
    /** The call that each step belongs to; a call's own step and its return belong to the call. */
    this.frame = new Int32Array(kind.length).fill(NONE);
    /** For a call, the frame that it was made in. */
    this.caller = new Int32Array(kind.length).fill(NONE);
    /** For a call, the last change of a variable of the caller before it. */
    this.outer = new Int32Array(kind.length).fill(NONE);
    /** For a call, the step of its return, or none after a fault. */
    this.end = new Int32Array(kind.length).fill(NONE);
    /** The last change of a variable in the step's frame, up to and with this step. */
    this.change = new Int32Array(kind.length).fill(NONE);
    /** For a change, the one before it in the same frame. */
    this.earlier = new Int32Array(kind.length).fill(NONE);
    /** A call takes its arguments at once: for its step, and those that set its parameters, the first and the last. */
    this.begin = Int32Array.from(kind, (_, step) => step);
    this.settled = Int32Array.from(kind, (_, step) => step);
    this.#link();
    this.#join();
  }

  #link() {
    const { kind } = this.trace.steps;
    let frame = NONE;
    let change = NONE;
    for (let step = 0; step < kind.length; step++) {
      if (kind[step] === CALL) {
        this.caller[step] = frame;
        this.outer[step] = change;
        frame = step;
        change = NONE;
      } else if (kind[step] === SET) {
        this.earlier[step] = change;
        change = step;
      }
      this.frame[step] = frame;
      this.change[step] = change;
      if (kind[step] === RETURN && frame !== NONE) {
        this.end[frame] = step;
        change = this.outer[frame];
        frame = this.caller[frame];
      }
    }
  }

  #join() {
    const { arities, steps } = this.trace;
    for (let call = 0; call < this.length; call++) {
      if (steps.kind[call] !== CALL) continue;
      let last = call;
      while (last - call < arities[steps.a[call]] && steps.kind[last + 1] === SET) last++;
      this.begin.fill(call, call, last + 1);
      this.settled.fill(last, call, last + 1);
    }
  }

  /**
   * The values of a call's arguments, and the names of its parameters.
   * @param {number} call
   * @returns {{name: string, value: number}[]}
   */
  arguments(call) {
    const { names, steps } = this.trace;
    const found = [];
    for (let step = call + 1; step <= this.settled[call]; step++) {
      found.push({ name: names[steps.a[step]], value: steps.b[step] });
    }
    return found;
  }

  /**
   * The calls that are not over at a step, the outermost first. A call that returns in this step is still among them.
   * @param {number} step
   * @returns {Frame[]}
   */
  stack(step) {
    const { functions, steps } = this.trace;
    const frames = [];
    for (let call = this.frame[step]; call !== NONE; call = this.caller[call]) {
      frames.push({ call, name: functions[steps.a[call]] });
    }
    return frames.reverse();
  }

  /**
   * The variables of a call that is on the stack, in the order in which they first got a value.
   * @param {number} step
   * @param {number} call
   * @returns {Variable[]}
   */
  variables(step, call) {
    const { names, steps } = this.trace;
    let change = this.change[step];
    for (let frame = this.frame[step]; frame !== call && frame !== NONE; frame = this.caller[frame]) {
      change = this.outer[frame];
    }
    /** @type {Map<number, Variable>} */
    const variables = new Map();
    for (; change !== NONE; change = this.earlier[change]) {
      const name = steps.a[change];
      const latest = variables.get(name) ?? { name: names[name], value: steps.b[change], step: change };
      variables.delete(name);
      variables.set(name, latest);
    }
    return [...variables.values()].reverse();
  }

  /** @param {number} step */
  next(step) {
    return Math.min(this.settled[step] + 1, this.length - 1);
  }

  /** @param {number} step */
  back(step) {
    return this.begin[Math.max(step - 1, 0)];
  }

  /**
   * The step after this one; a call that begins there is run to its return.
   * @param {number} step
   */
  over(step) {
    const next = this.next(step);
    if (next === step || this.trace.steps.kind[next] !== CALL) return next;
    return this.end[next] === NONE ? this.length - 1 : this.end[next];
  }

  /**
   * The return of the call that the step is in, or of its caller if it returns right now.
   * @param {number} step
   */
  out(step) {
    let call = this.frame[step];
    if (call !== NONE && this.end[call] === step) call = this.caller[call];
    return call === NONE || this.end[call] === NONE ? this.length - 1 : this.end[call];
  }

  /**
   * The next call of a function, or of any, after a step; or none: -1.
   * @param {number} step
   * @param {number} [name] the function's index
   */
  nextCall(step, name) {
    const { kind, a } = this.trace.steps;
    for (let next = step + 1; next < this.length; next++) {
      if (kind[next] === CALL && (name === undefined || a[next] === name)) return next;
    }
    return NONE;
  }
}
