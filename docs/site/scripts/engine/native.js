/**
 * A program that runs as WebAssembly: its functions take values and give values. cplc compiled its C, and
 * `cplrt.native` explains the forms by which values cross as words of 64 bits.
 *
 * A whole number is a BigInt here, a real a Number; tuples and lists are arrays, and NIL is an empty one.
 */

/** @typedef {any} Value */
/** @typedef {{sign: string, parts: Form[]}} Form */
/** @typedef {{number: number, parameters: string, result: string}} Entry */
/** @typedef {{number: number, parameters: Form[], result: Form}} Parsed an entry with its forms */
/** @typedef {{name: string, form: string, words: string[], later: string | null}} Constant */
/** @typedef {{functions: Record<string, Entry>, strings: string[], constants: Constant[]}} Described */
/** @typedef {{memory: number, stack: number}} Most the bytes that a call may take */

const [DONE, TOO_DEEP] = [0, 2];
/** Why a call is given up, by the numbers of the C. */
const REASONS = [
  "the program failed",
  "a number grew beyond 64 bits",
  "functions called each other too deeply",
  "it took too much memory",
  "the program failed",
  "a value was of another type than expected",
];

/** A call that C has given up: the text says why, for people. The next call works. */
export class GivenUp extends Error {}

const WORD = 8;
const CLOSING = ")]}";

export class Native {
  /**
   * @param {WebAssembly.Module} module
   * @param {Described} described
   * @param {Most} most
   */
  constructor(module, described, most) {
    this.module = module;
    this.most = most;
    this.described = described;
    const functions = Object.entries(described.functions);
    /** The functions by their names, with their forms. */
    this.functions = new Map(functions.map(([name, entry]) => [name, withForms(entry)]));
    this.strings = [...described.strings];
    this.lasting = this.strings.length;
    /** Whether the call that runs is to end soon: programs ask for it. */
    this.isOver = () => false;
    /** @type {(bigint[] | BigInt64Array)[]} what each constant was given */
    this.given = described.constants.map(({ words }) => words.map(BigInt));
    this.#start();
  }

  /** Begin the program, give it its constants, and let it make those that are functions. */
  #start() {
    const cpl = { is_over: () => Number(this.isOver()), clock_now: () => performance.now() / 1000 };
    /** @type {any} */
    this.exports = new WebAssembly.Instance(this.module, { cpl }).exports;
    this.exports._initialize?.();
    this.top = this.exports.__stack_pointer.value;
    this.count = this.exports.malloc(WORD);
    this.isBroken = false;
    this.given.forEach((words, number) => this.#give(number, words));
    this.#guarded(() => this.exports.cpl_make(BigInt(this.most.stack)));
  }

  /**
   * Give a list of whole numbers as the value of a constant that came without one.
   * @param {string} name
   * @param {BigInt64Array} items
   */
  give(name, items) {
    const number = this.described.constants.findIndex((constant) => constant.name === name);
    const words = new BigInt64Array(items.length + 1);
    words[0] = BigInt(items.length);
    words.set(items, 1);
    this.given[number] = words;
    if (!this.isBroken) this.#give(number, words);
  }

  /**
   * @param {number} number
   * @param {bigint[] | BigInt64Array} words
   */
  #give(number, words) {
    this.#with(words, (place) => this.exports.cpl_give(place, BigInt(number)));
  }

  /**
   * A value that the build has written as words.
   * @param {{form: string, words: string[]}} written
   * @returns {Value}
   */
  value({ form, words }) {
    return this.#get(parsed(form), words.map(BigInt).values());
  }

  /**
   * The value of a function. Raises GivenUp.
   * @param {string} name
   * @param {Value[]} given
   */
  call(name, ...given) {
    const { number, parameters, result } = /** @type {Parsed} */ (this.functions.get(name));
    /** @type {bigint[]} */
    const words = [];
    if (this.isBroken) this.#start();
    try {
      parameters.forEach((form, index) => this.#put(form, given[index], words));
      this.#with(words, (place) => {
        const { memory, stack } = this.most;
        return this.exports.cpl_call(BigInt(number), place, BigInt(memory), BigInt(stack), 0n);
      });
      return this.#get(result, this.#answer());
    } finally {
      this.strings.length = this.lasting; // strings of arguments have numbers for this call only
    }
  }

  /** The words of the last answer, one by one. */
  #answer() {
    const place = this.exports.cpl_answer(this.count);
    const { buffer } = this.exports.memory;
    const [count] = new BigInt64Array(buffer, this.count, 1);
    return new BigInt64Array(buffer, place, Number(count)).values();
  }

  /**
   * Act on words that are in the memory of the program.
   * @param {bigint[] | BigInt64Array} words
   * @param {(place: number) => number} act
   */
  #with(words, act) {
    const place = this.exports.malloc(WORD * Math.max(words.length, 1));
    if (!place) throw new GivenUp(REASONS[3]);
    new BigInt64Array(this.exports.memory.buffer, place, words.length).set(words);
    try {
      this.#guarded(() => act(place));
    } finally {
      if (!this.isBroken) this.exports.free(place);
    }
  }

  /**
   * Act in the program. Where the program gives up, it traps: its stack is set back then, and it says why. What ends it
   * without its doing, such as the end of the browser's own stack, may leave anything half done: it begins anew then.
   * @param {() => number} act
   */
  #guarded(act) {
    try {
      act();
    } catch (error) {
      this.exports.__stack_pointer.value = this.top;
      const reason = this.exports.cpl_reason();
      this.isBroken ||= reason === DONE;
      const isDeep = !(error instanceof WebAssembly.RuntimeError);
      throw new GivenUp(REASONS[isDeep ? TOO_DEEP : reason]);
    }
  }

  /**
   * @param {Form} form
   * @param {Value} value
   * @param {bigint[]} words
   */
  #put({ sign, parts }, value, words) {
    if (!fits(sign, value)) throw new GivenUp(REASONS[5]);
    switch (sign) {
      case "i":
        words.push(value);
        break;
      case "b":
        words.push(BigInt(value));
        break;
      case "n":
        words.push(BigInt(typeof value === "number"), wordOf(value));
        break;
      case "r":
        words.push(wordOf(Number(value)));
        break;
      case "t":
        if (!this.strings.includes(value)) this.strings.push(value);
        words.push(BigInt(this.strings.indexOf(value)));
        break;
      case "(":
        if (value.length !== parts.length) throw new GivenUp(REASONS[5]);
        parts.forEach((part, index) => this.#put(part, value[index], words));
        break;
      case "[":
        words.push(BigInt(value.length));
        for (const item of value) this.#put(parts[0], item, words);
        break;
      case "{":
        words.push(...this.#chosen(parts, value));
        break;
    }
  }

  /**
   * The words of a value of one of these forms: those of the first that it has, after its number.
   * @param {Form[]} options
   * @param {Value} value
   */
  #chosen(options, value) {
    for (const [number, option] of options.entries()) {
      const words = [BigInt(number)];
      try {
        this.#put(option, value, words);
        return words;
      } catch (error) {
        if (!(error instanceof GivenUp)) throw error;
      }
    }
    throw new GivenUp(REASONS[5]);
  }

  /**
   * @param {Form} form
   * @param {Iterator<bigint>} words
   * @returns {Value}
   */
  #get({ sign, parts }, words) {
    const next = () => words.next().value ?? 0n;
    switch (sign) {
      case "i":
        return next();
      case "b":
        return next() !== 0n;
      case "n":
        return next() ? realOf(next()) : next();
      case "r":
        return realOf(next());
      case "t":
        return this.strings[Number(next())];
      case "(":
        return parts.map((part) => this.#get(part, words));
      case "[":
        return Array.from({ length: Number(next()) }, () => this.#get(parts[0], words));
      case "{":
        return this.#get(parts[Number(next())], words);
      default:
        return [];
    }
  }
}

/**
 * Whether a value can have a form that begins with a sign.
 * @param {string} sign
 * @param {Value} value
 * @returns {boolean}
 */
function fits(sign, value) {
  switch (sign) {
    case "i":
      return typeof value === "bigint" && BigInt.asIntN(64, value) === value;
    case "n":
    case "r":
      return typeof value === "number" || fits("i", value);
    case "b":
      return typeof value === "boolean";
    case "t":
      return typeof value === "string";
    case "z":
      return Array.isArray(value) && !value.length;
    case "{":
      return true;
    default:
      return Array.isArray(value);
  }
}

const bits = new DataView(new ArrayBuffer(WORD));

/**
 * The word of a number: a whole one is its own.
 * @param {number | bigint} value
 */
function wordOf(value) {
  if (typeof value === "bigint") return value;
  bits.setFloat64(0, value);
  return bits.getBigInt64(0);
}

/**
 * @param {Entry} entry
 * @returns {Parsed}
 */
function withForms({ number, parameters, result }) {
  return { number, parameters: parameters.split(" ").filter(Boolean).map(parsed), result: parsed(result) };
}

/** @param {bigint} word */
function realOf(word) {
  bits.setBigInt64(0, word);
  return bits.getFloat64(0);
}

/**
 * @param {string} form
 * @returns {Form}
 */
function parsed(form) {
  const signs = form[Symbol.iterator]();
  /** @returns {Form | null} null where a bracket closes */
  const next = () => {
    const sign = signs.next().value ?? "";
    if (CLOSING.includes(sign)) return null;
    /** @type {Form[]} */
    const parts = [];
    if ("([{".includes(sign)) for (let part = next(); part; part = next()) parts.push(part);
    return { sign, parts };
  };
  return /** @type {Form} */ (next());
}
