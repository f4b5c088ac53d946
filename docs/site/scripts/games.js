/**
 * The worker in which games run as WebAssembly, without Python: questions about games go in, each with a number, and
 * answers come out. A question that is not for it comes back as `isNotHere`, one that C gave up with the reason.
 */

import { Answers } from "./engine/answers.js";
import { NotHere } from "./engine/draughts.js";
import { GivenUp } from "./engine/native.js";

/** @typedef {import("./engine/answers.js").About} About */

const SEARCHING = ["choose", "why", "analyse"];
/** Milliseconds until the rest of a game is loaded, as the page has other things to load first. */
const QUIET = 3000;

const folder = new URL("../native/", import.meta.url).href;
/** @param {string} name */
const fetched = (name) => fetch(`${folder}${name}`);

const described = fetched("programs.json").then((response) => response.json());
/** @type {Map<string, Promise<Answers>>} */
const begun = new Map();
/** @type {Map<string, Promise<void>>} the games whose constants have all come, or will */
const completed = new Map();

let isStopped = false; // an analysis ends when something else is asked
/** @type {Promise<void>} one question is answered after the other */
let last = Promise.resolve();

/**
 * @param {string} name of a game
 * @returns {Promise<Answers>}
 */
function answersOf(name) {
  const known = begun.get(name);
  if (known) return known;
  const answers = begin(name);
  begun.set(name, answers);
  answers.catch(() => begun.delete(name)); // the net may be back the next time
  return answers;
}

/** @param {string} name */
async function begin(name) {
  const { games, rules } = await described;
  if (!Object.hasOwn(games, name)) throw new NotHere();
  const module = await WebAssembly.compile(await (await fetched(`${name}.wasm`)).arrayBuffer());
  return new Answers(name, module, games[name], rules);
}

/**
 * Give a game the constants that come later; without them it plays, too.
 * @param {string} name
 */
function complete(name) {
  const known = completed.get(name);
  if (known) return known;
  const completing = bring(name).catch((error) => {
    console.warn(error);
    completed.delete(name);
  });
  completed.set(name, completing);
  return completing;
}

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
 */
async function answer(number, ask, given) {
  const answers = await answersOf(given.game);
  if (SEARCHING.includes(ask) && answers.isEnding(given)) await complete(given.game);
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
      return await analysed(number, answers.analyse(given));
    default:
      throw new NotHere();
  }
}

/**
 * Report what an analysis finds, until it is at its end or something else is asked.
 * @param {number} number
 * @param {Iterable<object | null>} found
 */
async function analysed(number, found) {
  for (const report of found) {
    if (report) postMessage({ number, report });
    await turn();
    if (isStopped) break;
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
 */
async function reply(number, ask, given) {
  isStopped = false;
  try {
    postMessage({ number, answer: await answer(number, ask, given) });
    setTimeout(() => complete(given.game), QUIET);
  } catch (error) {
    if (error instanceof NotHere) postMessage({ number, isNotHere: true });
    else if (error instanceof GivenUp) postMessage({ number, gaveUp: error.message });
    else postMessage({ number, failed: String(error) });
  }
}

onmessage = ({ data: { number, ask, given } }) => {
  isStopped = true;
  if (ask !== "stop") last = last.then(() => reply(number, ask, given));
};
