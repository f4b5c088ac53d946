/**
 * The games as WebAssembly in Node.js: `node engine.mjs ENGINE FOLDER < questions.json`, where ENGINE are the scripts and
 * FOLDER is what the build makes for them. Answers to the questions come out as JSON.
 */

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [engine, folder] = process.argv.slice(2);
/** @param {string} name */
const script = (name) => import(pathToFileURL(`${engine}/${name}.js`).href);
const { Answers } = await script("answers");
const { NotHere } = await script("game");
const { Native } = await script("native");
const { search, result } = await script("search");

const { games, rules } = JSON.parse(readFileSync(`${folder}/programs.json`, "utf8"));
const modules = Object.fromEntries(
  Object.keys(games).map((name) => [name, new WebAssembly.Module(readFileSync(`${folder}/${name}.wasm`))]),
);

/** @param {string} name */
async function complete(name) {
  const answers = new Answers(name, modules[name], games[name], rules);
  for (const { name: constant, later } of games[name].constants) {
    if (!later) continue;
    const stream = new Blob([readFileSync(`${folder}/${later}`)]).stream();
    const unpacked = stream.pipeThrough(new DecompressionStream("deflate"));
    answers.native.give(constant, new BigInt64Array(await new Response(unpacked).arrayBuffer()));
  }
  return answers;
}

const known = Object.fromEntries(
  await Promise.all(Object.keys(games).map(async (name) => [name, await complete(name)])),
);
let memory = 0;

const QUESTIONS = {
  /** How a game stands, and what is found so many plies deep, with a new table. */
  position({ game, fen, moves, depth, lines, players }) {
    const answers = known[game];
    const about = { game, fen, moves };
    const state = answers.state(about);
    if (state.end) return { state };
    const limits = { depth, memory: ++memory % rules.memories };
    const found = result(search(answers.game, answers.live.turn, limits, lines));
    const chosen = players.map((player) => answers.choose({ ...about, player }));
    return { state, chosen, depth: found.depth, positions: found.positions, lines: found.lines.map(lineOf) };
  },
  /** How a game stands after each of its moves, the first position included. */
  walk({ game, fen, moves }) {
    return [...moves.keys(), moves.length].map((at) => known[game].state({ game, fen, moves: moves.slice(0, at) }));
  },
  /** What each text means as a move, null if that is left to Python. */
  understand({ game, fen, moves, texts }) {
    return texts.map((typed) => orNull(() => known[game].understand({ game, fen, moves, typed })));
  },
  /** How a game stands that begins at each of these FENs, null if they are left to Python. */
  fens({ game, fens }) {
    return fens.map((fen) => orNull(() => known[game].state({ game, fen, moves: [] })));
  },
  /**
   * What each call gives, or why it was given up, in a program with so much memory for a call; or in a complete one. As
   * an argument null is the state in which the game begins.
   */
  calls({ game, calls, memory, stack, isComplete }) {
    const most = { memory: memory ?? rules.memory, stack: stack ?? rules.stack };
    const native = isComplete ? known[game].native : new Native(modules[game], games[game], most);
    return calls.map(({ name, given }) => {
      try {
        return { value: plain(native.call(name, ...given.map((each) => whole(each) ?? known[game].game.start))) };
      } catch (error) {
        return { reason: error.message };
      }
    });
  },
  /** How deep a search looks from the first position in so many seconds. */
  speed({ game, seconds }) {
    const answers = known[game];
    answers.state({ game, fen: "", moves: [] });
    const { depth, positions, seconds: took } = result(search(answers.game, answers.live.turn, { seconds, memory: 0 }));
    return { depth, positions, seconds: took };
  },
};

/** @param {() => any} answer */
function orNull(answer) {
  try {
    return answer();
  } catch (error) {
    if (error instanceof NotHere) return null;
    throw error;
  }
}

/** @param {{value: number, plies: number | null, moves: string[]}} line */
const lineOf = ({ value, plies, moves }) => ({ value: String(value), plies, moves });

/** A value of JSON as the engine has it: whole numbers are BigInts. */
const whole = (value) => (Array.isArray(value) ? value.map(whole) : typeof value === "number" ? BigInt(value) : value);
/** The inverse. */
const plain = (value) => (Array.isArray(value) ? value.map(plain) : typeof value === "bigint" ? Number(value) : value);

const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(({ ask, ...given }) => QUESTIONS[ask](given))));
