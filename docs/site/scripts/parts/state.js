/**
 * What a page shows, as one object, so that a reload, back and forward, a second tab and a copied address bring it back.
 *
 * The browser stores a state for each entry of its history. The address holds the same, behind the #, which no server
 * sees: only what is not as the page begins, and the text last, so that an address that was cut is noticed.
 */

import { attempt } from "./storage.js";
import { Works, isSameWork } from "./works.js";

/** @import { Work } from "./works.js" */

/**
 * @typedef {object} State
 * @property {string} example the packaged program that is shown, "" for a text of one's own
 * @property {string | null} text the program, null for that of the example
 * @property {string | null} call null for that of the example
 * @property {string} reading as `cpl` names it, `set` for the usual one
 * @property {string} pane which stage of the program is shown beside it
 * @property {string} game
 * @property {string} fen where the game begins, "" for its usual start
 * @property {string[]} moves
 * @property {number} at how many of the moves are played
 * @property {string} first who plays the side that begins
 * @property {string} second
 * @property {boolean} paused whether programs wait
 */

/** @typedef {Pick<Window, "history" | "location" | "sessionStorage" | "localStorage" | "addEventListener" | "setTimeout" | "clearTimeout">} Browser */

/** @type {State} */
export const EMPTY = {
  example: "",
  text: null,
  call: null,
  reading: "set",
  pane: "python",
  game: "strachey",
  fen: "",
  moves: [],
  at: 0,
  first: "me",
  second: "",
  paused: false,
};

/**
 * The keys of a reading and their values, the usual ones first.
 * @type {Record<string, string[]>}
 */
const READING = {
  and: ["loose", "tight"],
  plusminus: ["set", "arithmetic"],
  nil: ["list", "zero"],
  shift: ["down", "up"],
};

/** Characters of an address behind the #; browsers allow some two million. */
export const MOST_IN_ADDRESS = 1_000_000;
/** Characters of a program, of which the compiler reads no more: `MOST_CHARACTERS_OF_PROGRAM` in cpl/limits.py. */
export const MOST_IN_PROGRAM = 2_000_000;
/** Moves of a game, of which the longest have some hundreds. */
const MOST_MOVES = 2_000;
/** Bytes that are unpacked at once: each can become a thousand. */
const PIECE = 1024;

const PANES = ["python", "types", "tokens", "meant", "trace"];
/** @type {Record<string, string>} */
const MIXTURES = { set: "", arithmetic: "and=tight,plusminus=arithmetic,nil=zero" };
const NAMES = /** @type {const} */ (["example", "reading", "pane", "game", "fen", "first", "second"]);

/**
 * The address of a state: what is behind the #, "" if nothing is to be said.
 * @param {State} state
 * @param {State} usual what the page begins with
 */
export async function toAddress(state, usual) {
  const fields = new URLSearchParams();
  for (const name of NAMES) if (state[name] !== usual[name]) fields.set(name, state[name]);
  if (state.text !== null) fields.set("example", state.example);
  if (state.call !== null) fields.set("call", state.call);
  if (state.moves.length) fields.set("moves", state.moves.join(" "));
  if (state.at !== state.moves.length) fields.set("at", String(state.at));
  if (state.paused) fields.set("paused", "yes");
  if (state.text !== null) fields.set("z", await packed(state.text));
  return fields.size ? `#${fields}` : "";
}

/**
 * The state that an address holds, and what is wrong with it, in words.
 * @param {string} hash
 * @param {State} usual
 * @returns {Promise<{state: State, problems: string[]}>}
 */
export async function fromAddress(hash, usual) {
  if (hash.length > MOST_IN_ADDRESS) {
    const problem = `It has ${hash.length.toLocaleString("en")} characters, and at most ${MOST_IN_ADDRESS.toLocaleString("en")} are read.`;
    return { state: { ...usual }, problems: [problem] };
  }
  const fields = new URLSearchParams(hash.slice(1));
  const state = { ...usual };
  /** @type {string[]} */
  const problems = [];
  for (const name of NAMES) state[name] = fields.get(name) ?? usual[name];
  state.call = fields.get("call");
  if (!PANES.includes(state.pane)) {
    problems.push(`It asks for “${state.pane}”, which is none of the panes.`);
    state.pane = usual.pane;
  }
  const reading = readingOf(state.reading);
  if (reading === null) problems.push(`“${state.reading}” is no reading; the usual one is shown.`);
  state.reading = reading?.name ?? "set";
  state.moves = (fields.get("moves") ?? "").split(" ").filter(Boolean);
  if (state.moves.length > MOST_MOVES) {
    problems.push(
      `It has ${state.moves.length.toLocaleString("en")} moves; the first ${MOST_MOVES.toLocaleString("en")} are shown.`,
    );
    state.moves.length = MOST_MOVES;
  }
  const at = Number(fields.get("at") ?? state.moves.length);
  state.at = Number.isInteger(at) ? Math.min(Math.max(at, 0), state.moves.length) : state.moves.length;
  state.paused = fields.has("paused");
  state.text = fields.get("text");
  const z = fields.get("z");
  if (z !== null) {
    const { text, isWhole, isTooLong } = await unpacked(z);
    state.text = text || isWhole ? text : null;
    if (isTooLong)
      problems.push(
        `The program in it has more than ${MOST_IN_PROGRAM.toLocaleString("en")} characters, which is too long.`,
      );
    else if (!isWhole)
      problems.push(text ? `It ends in the middle of a program: ${count(text)}.` : "The program in it cannot be read.");
  }
  if (state.text !== null && !fields.has("example")) state.example = "";
  return { state, problems };
}

/**
 * What a reading says of each key, and its name, that of the usual one being `set`; null if it is no reading.
 * @param {string} text
 */
export function readingOf(text) {
  /** @type {Record<string, string>} */
  const chosen = Object.fromEntries(Object.entries(READING).map(([key, [usual]]) => [key, usual]));
  const pairs = Object.hasOwn(MIXTURES, text) ? MIXTURES[text] : text;
  for (const pair of pairs.split(",").filter(Boolean)) {
    const [key, value] = pair.split("=");
    if (!Object.hasOwn(READING, key) || !READING[key].includes(value)) return null;
    chosen[key] = value;
  }
  const isUsual = Object.entries(READING).every(([key, [usual]]) => chosen[key] === usual);
  const written = Object.entries(chosen).map((pair) => pair.join("="));
  return { chosen, name: isUsual ? "set" : written.join(",") };
}

/**
 * Keeps the state of a page: in the storage of the browser for each entry of its history, and in the address. What is
 * replaced stays the same entry; what is opened is a new one.
 */
export class Kept {
  /**
   * @param {State} usual what the page begins with
   * @param {(problems: string[]) => void} changed by back, by forward or by the address, with what is wrong with that
   * @param {Browser} [browser]
   */
  constructor(usual, changed, browser = window) {
    this.usual = usual;
    this.changed = changed;
    this.browser = browser;
    this.state = usual;
    this.entry = "";
    this.timer = 0;
    /** Whether it came with the address, and so perhaps from somebody else. */
    this.isLinked = false;
    this.works = new Works(browser);
    /** Whether the visitor made some of it: what came with the address is not kept before it is changed. */
    this.isOwn = false;
    /** Called once, if the browser cannot keep what the visitor makes. */
    this.unkept = () => {};
    /** How often the state was taken from an entry: what was asked about another one is of no use then. */
    this.visits = 0;
    browser.addEventListener("popstate", async () => {
      const problems = await this.restore();
      if (!problems.length) this.#write();
      changed(problems);
    });
    browser.addEventListener("storage", () => {
      if (this.works.isTaken(this.entry, this.state)) this.#store(); // what another tab has written over
    });
  }

  /** Take up what is stored for the entry of the history, or what the address holds; return what is wrong with that. */
  async restore() {
    this.browser.clearTimeout(this.timer);
    this.visits++;
    const { history, location } = this.browser;
    this.entry = history.state?.cplc ?? "";
    const stored = this.#stored();
    this.isLinked = !stored;
    if (stored) {
      this.state = { ...this.usual, ...stored };
      this.isOwn = this.works.goOn(this.entry, this.state);
      return [];
    }
    this.#begin();
    const { state, problems } = await fromAddress(location.hash, this.usual);
    this.state = state;
    this.isOwn = false;
    return problems;
  }

  /**
   * Change the state of this entry.
   * @param {Partial<State>} changes
   */
  replace(changes) {
    const before = this.state;
    this.state = { ...before, ...changes };
    this.isOwn ||= !isSameWork(this.state, before);
    this.#store();
    this.#write();
  }

  /**
   * Change the state in a new entry, from which “back” leads to this one.
   * @param {Partial<State>} changes
   */
  open(changes) {
    this.entry = newEntry();
    this.browser.history.pushState({ cplc: this.entry }, "");
    this.replace(changes);
  }

  /** The works that were made on this page and are not shown, the newest first. */
  offered() {
    return this.works.offered(this.state);
  }

  /**
   * Go on with a work, in a new entry, from which “back” leads to this one.
   * @param {Work} work
   */
  takeUp({ id, state }) {
    this.browser.clearTimeout(this.timer);
    this.visits++;
    this.entry = id;
    this.browser.history.pushState({ cplc: id }, "");
    this.state = { ...this.usual, ...(this.works.takeUp(id) ?? state) };
    this.isOwn = true;
    this.#store();
    this.#write();
    this.changed([]);
  }

  /** Forget all works of the site, and what this tab stores for its entries. */
  forget() {
    this.browser.clearTimeout(this.timer);
    this.works.forget();
    attempt(() => this.browser.sessionStorage.clear());
  }

  /** The address of the state as it is now, written at once; null if it would be too long to be read again. */
  async address() {
    const { state, browser } = this;
    const { pathname, search } = browser.location;
    const hash = await toAddress(state, this.usual);
    const isShort = hash.length <= MOST_IN_ADDRESS;
    if (state === this.state && isShort)
      browser.history.replaceState({ cplc: this.entry }, "", pathname + search + hash);
    return isShort ? browser.location.href : null;
  }

  /** Write the address soon: browsers refuse to do it with every key. */
  #write() {
    this.browser.clearTimeout(this.timer);
    this.timer = this.browser.setTimeout(() => this.address(), PAUSE);
  }

  /** Give this entry of the history another name. */
  #begin() {
    this.entry = newEntry();
    this.browser.history.replaceState({ cplc: this.entry }, "");
  }

  #store() {
    if (this.works.isTaken(this.entry, this.state)) this.#begin();
    const put = () => this.browser.sessionStorage.setItem(`cplc ${this.entry}`, JSON.stringify(this.state));
    const isStored = attempt(() => (put(), true));
    if (!isStored) attempt(() => (this.browser.sessionStorage.clear(), put())); // this entry matters most
    this.#keep();
  }

  /** Keep what the visitor made; an empty text does not replace the one before it. */
  #keep() {
    const { entry, state, usual, works } = this;
    const isEmpty = state.text !== null && !state.text.trim() && !state.moves.length;
    if (!this.isOwn || isEmpty) return;
    if (isSameWork(state, usual)) {
      works.drop(entry);
    } else if (!works.keep(entry, state)) {
      this.unkept();
      this.unkept = () => {};
    }
  }

  #stored() {
    return attempt(() => JSON.parse(this.browser.sessionStorage.getItem(`cplc ${this.entry}`) ?? "null"));
  }
}

const newEntry = () => `${Date.now()} ${Math.random()}`;
const PAUSE = 300;

/** @param {string} text */
function count(text) {
  const lines = text.split("\n").length;
  return `${lines} line${lines > 1 ? "s" : ""} of it could be read`;
}

/** @param {string} text */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(signs).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/**
 * The text, or as much of it as can be read; nothing of a text that is too long. It is unpacked in pieces, so that a short
 * address cannot fill the memory.
 * @param {string} z
 */
async function unpacked(z) {
  const signs = z
    .replaceAll("-", "+")
    .replaceAll("_", "/")
    .replace(/[^A-Za-z0-9+/].*$/s, "");
  const whole = signs.length % 4 === 1 ? signs.slice(0, -1) : signs;
  const bytes = Uint8Array.from(atob(whole), (sign) => sign.charCodeAt(0));
  const isWhole = whole.length === z.length;
  let at = 0;
  const pieces = new ReadableStream(
    {
      pull(controller) {
        if (at >= bytes.length) return controller.close();
        controller.enqueue(bytes.slice(at, at + PIECE));
        at += PIECE;
      },
    },
    { highWaterMark: 0 }, // no piece before it is wanted
  );
  const decoder = new TextDecoder();
  const reader = pieces.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return { text: text + decoder.decode(), isWhole, isTooLong: false };
      text += decoder.decode(value, { stream: true });
      if (text.length > MOST_IN_PROGRAM) {
        reader.cancel().catch(() => {});
        return { text: "", isWhole: false, isTooLong: true };
      }
    }
  } catch {
    return { text, isWhole: false, isTooLong: false };
  }
}
