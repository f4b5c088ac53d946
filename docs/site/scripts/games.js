/**
 * The worker in which games run as WebAssembly, without Python: questions about games go in, each with a number, and
 * answers come out. A question that is not for it comes back as `isNotHere`, one that C gave up with the reason.
 */

import { Answers } from "./engine/answers.js";
import { NotHere } from "./engine/game.js";
import { GivenUp } from "./engine/native.js";

/** @typedef {import("./engine/answers.js").About} About */

const SEARCHING = ["choose", "why", "analyse"];
/** Milliseconds until the rest of a game is loaded, as the page has other things to load first, */
const QUIET = 3000;
/** and for which a question waits for it. */
const PATIENCE = 2000;

const folder = new URL(`../native/${BUILD.version}/`, import.meta.url).href; // no other build has this address
/** @param {string} name */
async function fetched(name) {
  const response = await fetch(`${folder}${name}`);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  return response;
}

let newest = 0; // the number of the last message: an analysis ends when another one comes
/** @type {Promise<void>} one question is answered after the other */
let last = Promise.resolve();

/**
 * A function that gives what another one gave for the same name, unless that failed: the net may be back the next time.
 * @template Result
 * @param {(name: string) => Promise<Result>} make
 * @returns {(name: string) => Promise<Result>}
 */
function once(make) {
  /** @type {Map<string, Promise<Result>>} */
  const known = new Map();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const made = make(name);
    known.set(name, made);
    made.catch(() => known.delete(name));
    return made;
  };
}

const described = once(async (name) => (await fetched(name)).json());

/** The answers about a game. */
const answersOf = once(async (name) => {
  const { games, rules } = await described("programs.json");
  if (!Object.hasOwn(games, name)) throw new NotHere();
  const module = await WebAssembly.compile(await (await fetched(`${name}.wasm`)).arrayBuffer());
  return new Answers(name, module, games[name], rules);
});

const brought = once(bring);

/**
 * Give a game the constants that come later; without them it plays, too.
 * @param {string} name
 */
const complete = (name) => brought(name).catch(console.warn);

/** @param {string} name */
async function bring(name) {
  const { native } = await answersOf(name);
  for (const { name: constant, later } of native.described.constants) {
    if (!later) continue;
    const { body } = await fetched(later);
    const stream = /** @type {ReadableStream} */ (body).pipeThrough(new DecompressionStream("deflate"));
    native.give(constant, new BigInt64Array(await new Response(stream).arrayBuffer()));
  }
}

/**
 * @param {number} number
 * @param {string} ask
 * @param {any} given
 * @param {() => boolean} isNewest whether nothing has come after this
 */
async function answer(number, ask, given, isNewest) {
  const answers = await answersOf(given.game);
  if (SEARCHING.includes(ask) && answers.isEnding(given)) {
    await Promise.race([complete(given.game), new Promise((resolve) => setTimeout(resolve, PATIENCE))]);
  }
  switch (ask) {
    case "state":
      return answers.state(given);
    case "choose":
      return answers.choose(given);
    case "understand":
      return answers.understand(given);
    case "why":
      return answers.why(given);
    case "analyse":
      return await analysed(number, answers.analyse(given), isNewest);
    default:
      throw new NotHere();
  }
}

/**
 * Report what an analysis finds, until it is at its end or something else is asked.
 * @param {number} number
 * @param {Iterable<object | null>} found
 * @param {() => boolean} isNewest
 */
async function analysed(number, found, isNewest) {
  for (const report of found) {
    if (report) postMessage({ number, report });
    await turn();
    if (!isNewest()) break;
  }
  return null;
}

/** Let messages in that wait. */
function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve(null);
    };
    port2.postMessage(null);
  });
}

/**
 * @param {number} number
 * @param {string} ask
 * @param {any} given
 * @param {() => boolean} isNewest
 */
async function reply(number, ask, given, isNewest) {
  try {
    postMessage({ number, answer: await answer(number, ask, given, isNewest) });
    setTimeout(() => complete(given.game), QUIET);
  } catch (error) {
    if (error instanceof NotHere) postMessage({ number, isNotHere: true });
    else if (error instanceof GivenUp) postMessage({ number, gaveUp: error.message });
    else postMessage({ number, failed: String(error) });
  }
}

onmessage = ({ data: { number, ask, given } }) => {
  const mine = ++newest;
  if (ask !== "stop") last = last.then(() => reply(number, ask, given, () => mine === newest));
};
