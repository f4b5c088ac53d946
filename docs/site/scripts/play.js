/**
 * The page to play on: a person or a program on each side. Programs of games run as WebAssembly where they can; all else
 * about games is Python's, which comes while one plays.
 */

import { make } from "../../../cpl/study/views/static/elements.js";
import { Games } from "./parts/games.js";
import { offerWorks } from "./parts/offer.js";
import { capital, complain, fill, find, pageData } from "./parts/page.js";
import { Refused, Stopped, pythonOf } from "./parts/python.js";
import { EMPTY, Kept } from "./parts/state.js";

/** @typedef {{name: string, side: string, piece: string}} Square */
/** @typedef {{text: string, squares: string[]}} Move */

/**
 * @typedef {object} Standing how a game stands
 * @property {string} side whose turn it is
 * @property {string} [board] as Python draws it
 * @property {SVGElement} [picture] the same, drawn here
 * @property {(Square | null)[][]} rows
 * @property {Move[]} legal
 * @property {Record<string, string>} counts
 * @property {string} fen
 * @property {{winner: string | null, why: string} | null} end
 */

/** @type {{games: Record<string, {title: string, sides: string[], below: string, players: string[]}>, strengths: Record<string, string>}} */
const { games, strengths } = pageData();
const [game, board, said, list, status] = ["game", "board", "said", "history", "status"].map((id) => find(`#${id}`));
/** @type {HTMLSelectElement[]} */
const seats = [find("#first"), find("#second")];
const person = "me";

const kept = new Kept(EMPTY, show);
const analysis = find("#analysis");
const seen = find("#seen");
let isFlipped = false; // by the button
let isLooking = false;
let isLookEnded = false; // by a person: one may want to look again before it ends
/** @type {any} the standing, once there is one */
let now = null;
/** @type {string[]} the squares that were chosen for the next move */
let chosen = [];
/** @type {Promise<any>} the last change: one is made after the other */
let changing = Promise.resolve();
let round = 0; // grows whenever the game is another one, so that a late answer is not played
let unmade = 0; // changes that are not made yet
let focus = "";
let turn = ""; // whose it is, or how the game ended
let pdnText = ""; // of the file of games that is open
let shownFen = "";

/** Milliseconds until Python begins to load, if nothing needs it before. */
const QUIET = 4000;
/** @type {import("./parts/python.js").Python | null} */
let python = null;
const busy = { python: false, games: false };

/** Python, which begins when it is first asked for. */
function begunPython() {
  python ??= pythonOf((state) => isBusy("python", state === "busy"));
  return python;
}

const asked = new Games(
  begunPython,
  (isWorking) => isBusy("games", isWorking),
  (words) => say(words || turn),
);
setTimeout(begunPython, QUIET);

/**
 * Show whether something works that one can stop.
 * @param {"python" | "games"} who
 * @param {boolean} isWorking
 */
function isBusy(who, isWorking) {
  busy[who] = isWorking;
  find("#stop").hidden = !busy.python && !busy.games;
}

/** What is asked about the game after so many of its moves. */
const about = ({ game, fen, moves, at } = kept.state) => ({ game, fen, moves: moves.slice(0, at) });

// Players

/** Show what the state says of game, players and pause. */
function showSettings() {
  const { sides, players } = games[kept.state.game];
  game.value = kept.state.game;
  find("#pause").checked = kept.state.paused;
  seats.forEach((seat, index) => {
    find(`label[for=${seat.id}]`).textContent = capital(sides[index]);
    seat.replaceChildren(
      make("option", { value: person }, ["You"]),
      make("optgroup", { label: "Strength" }, Object.keys(strengths).map(option)),
      make("optgroup", { label: "Other players" }, players.map(option)),
    );
    const wanted = index ? kept.state.second || usual(players) : kept.state.first;
    seat.value = [...seat.options].some(({ value }) => value === wanted) ? wanted : index ? usual(players) : person;
  });
}

/**
 * The opponent that a game begins with: the program of 1966 in its own game.
 * @param {string[]} players
 */
const usual = (players) => (players[0].startsWith("strachey") ? players[0] : "medium");

/** @param {string} value */
const option = (value) =>
  make("option", { value }, [value === "strachey:2" ? "the program of 1966 (strachey:2)" : value]);

/**
 * Whether the board is turned by half a turn. One's own men stand below: those of the first side, if one plays both sides
 * or none.
 * @param {import("./parts/state.js").State} state
 */
function isTurned(state) {
  const { sides, below } = games[state.game];
  const isMine = [state.first || person, state.second].map((player) => player === person);
  const near = isMine[1] && !isMine[0] ? sides[1] : sides[0];
  return isFlipped !== (near !== below);
}

/** @param {string} side */
const seatOf = (side) => seats[games[kept.state.game].sides.indexOf(side)]?.value ?? person;

// The game

/** @typedef {Partial<import("./parts/state.js").State>} Changes */

/**
 * Change the game: in a new entry of the history if it is another game. Nothing changes if Python refuses it, or if one
 * has gone back or forward in the meantime.
 * @param {Changes | (() => Changes)} changes what changes, or what does when the changes before it are made
 * @param {string} news
 */
async function change(changes, news, isAnother = false) {
  const mine = ++round;
  unmade++;
  const { visits } = kept;
  const accepted = changing.then(async () => {
    if (kept.visits !== visits) return null;
    const settled = typeof changes === "function" ? changes() : changes;
    const standing = await asked.state({
      ...about({ ...kept.state, ...settled }),
      flipped: isTurned({ ...kept.state, ...settled }),
    });
    if (kept.visits !== visits) return null;
    if (isAnother) kept.open(settled);
    else kept.replace(settled);
    return standing;
  });
  changing = accepted.catch(() => {});
  try {
    const standing = await accepted;
    if (standing) stand(standing, news);
  } finally {
    unmade--;
    if (mine === round) guarded(reply);
  }
}

/**
 * Show how the game stands.
 * @param {Standing} standing
 * @param {string} news
 */
function stand(standing, news) {
  now = standing;
  chosen = [];
  seen.replaceChildren();
  showSettings();
  draw();
  turn = now.end
    ? `The game is over: ${now.end.winner ? `${now.end.winner} wins` : "a draw"}; ${now.end.why}.`
    : `${capital(now.side)} to move: ${does(seatOf(now.side))}.`;
  say(news ? `${news} ${turn}` : turn);
}

/** @param {string} player whose turn it is */
function does(player) {
  if (player === person) return "your turn";
  if (kept.state.paused) return `${player} waits, as the programs are paused`;
  return `${player} ${isWaiting() ? "waits" : "is thinking"}`;
}

/** Programs do not move while one looks back. */
const isWaiting = () => kept.state.paused || kept.state.at < kept.state.moves.length;

/** Whether it is the turn of a program, and it may move. */
const isThinking = () => !isWaiting() && seatOf(now.side) !== person;

/** Let a program move if it is its turn. */
async function reply() {
  if (!now || now.end || !isThinking()) return look();
  const mine = round;
  const move = await asked.ask("choose", { ...about(), player: seatOf(now.side) });
  if (mine === round) play(move);
}

/** @param {string[]} problems of the address */
async function show(problems) {
  if (!Object.hasOwn(games, kept.state.game)) {
    problems = [...problems, `There is no game “${kept.state.game}”.`];
    kept.state = { ...kept.state, game: EMPTY.game };
  }
  complain(problems);
  listGames([]);
  await guarded(async () => {
    try {
      await change({}, "");
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      complain([...problems, `${capital(error.message)}.`]);
      await change({ fen: "", moves: [], at: 0 }, "");
    }
  });
}

/**
 * Play a move. One that is in the game already leads on in it; another one begins a game of its own there.
 * @param {string} move
 */
function play(move) {
  const { side } = now;
  const { moves, at } = kept.state;
  const isInGame = moves[at] === move;
  const changes = isInGame ? { at: at + 1 } : { moves: [...moves.slice(0, at), move], at: at + 1 };
  find("#behind").replaceChildren();
  return guarded(() => change(changes, `${capital(side)} played ${move}.`, !isInGame && at < moves.length));
}

/**
 * Go to the position after so many moves.
 * @param {(at: number) => number} step from where one is
 * @param {string} news
 */
function go(step, news = "") {
  find("#behind").replaceChildren();
  const changes = () => {
    const { at, moves } = kept.state;
    return { at: Math.min(Math.max(step(at), 0), moves.length) };
  };
  return guarded(() => change(changes, news));
}

// The board

function draw() {
  const { moves, at } = kept.state;
  if (now.picture) find("#picture").replaceChildren(now.picture);
  else fill(find("#picture"), now.board);
  find("#picture svg").setAttribute("aria-hidden", "true");
  board.style.inset = `${marginOf(find("#picture svg"))}%`;
  board.replaceChildren(...now.rows.map(rowOf));
  mark();
  list.replaceChildren(...moves.map(item));
  const current = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2; // so that the page does not scroll
  for (const [id, isOff] of Object.entries({
    start: !at,
    back: !at,
    on: at === moves.length,
    end: at === moves.length,
  })) {
    find(`#${id}`).setAttribute("aria-disabled", String(isOff));
  }
  find("#count").textContent = Object.entries(now.counts)
    .map(([side, pieces]) => `${capital(side)}: ${pieces}`)
    .join(" · ");
  const isMine = !now.end && seatOf(now.side) === person;
  find("#moves").replaceChildren(
    ...(isMine ? now.legal : []).map((/** @type {Move} */ { text }) =>
      make("li", {}, [make("button", { type: "button", onclick: () => play(text) }, [text])]),
    ),
  );
  find("#typed input").placeholder = now.legal[0]?.text ?? "";
  for (const id of ["hint", "why"]) find(`#${id}`).disabled = Boolean(now.end);
  find("#undo").disabled = !at;
  find("#redo").disabled = at === moves.length;
  const fen = find("#fen");
  if (fen.value === shownFen) fen.value = shownFen = now.fen; // what one is writing stays
  linkSteps();
  if (focus) find(`[data-square="${focus}"]`)?.focus();
}

/**
 * A move of the list, which leads to the position after it.
 * @param {string} move
 * @param {number} index
 */
function item(move, index) {
  const words = `${index % 2 ? "" : `${index / 2 + 1}. `}${move}`;
  const isLast = index + 1 === kept.state.at;
  return make("li", {}, [
    make("button", { type: "button", "aria-current": isLast && "true", onclick: () => go(() => index + 1) }, [words]),
  ]);
}

/** How the program of 1966 finds the moves of this position, step by step. */
function linkSteps() {
  const link = find("#found");
  link.hidden = kept.state.game !== "strachey" || Boolean(now.end);
  const call = `LegalPositionsFrom(board("${now.fen}"))`;
  link.href = `playground.html#${new URLSearchParams({ example: "strachey.cpl", pane: "trace", call })}`;
}

/**
 * The frame of the picture in per cent of its width.
 * @param {SVGElement} svg
 */
function marginOf(svg) {
  const [frame, square] = svg.querySelectorAll("rect");
  return (100 * square.x.baseVal.value) / frame.width.baseVal.value;
}

/** @param {(Square | null)[]} squares */
function rowOf(squares) {
  return make(
    "tr",
    {},
    squares.map((square) => make("td", {}, square ? [squareButton(square)] : [])),
  );
}

/** @param {Square} square */
function squareButton({ name, side, piece }) {
  const first = focus || now.rows.flat().find(Boolean).name;
  return make("button", {
    type: "button",
    tabindex: name === first ? 0 : -1,
    "data-square": name,
    "aria-label": `${name}, ${piece ? `${side} ${piece}` : "empty"}`,
    onclick: () => select(name),
    onfocus: () => {
      focus = name;
    },
  });
}

/**
 * The moves that go on from the chosen squares.
 * @returns {Move[]}
 */
const going = () =>
  now.end || seatOf(now.side) !== person
    ? []
    : now.legal.filter((/** @type {Move} */ { squares }) => chosen.every((name, index) => squares[index] === name));

/** Mark the squares that can be clicked now, and those that were. */
function mark() {
  const next = new Set(going().map(({ squares }) => squares[chosen.length]));
  for (const button of board.querySelectorAll("button")) {
    const { square } = button.dataset;
    button.classList.toggle("possible", next.has(square));
    button.classList.toggle("free", Boolean(chosen.length)); // where the piece goes, and not a piece that can
    button.classList.toggle("chosen", chosen.includes(square));
    button.setAttribute("aria-pressed", String(chosen.includes(square)));
  }
}

/** @param {string} name */
async function select(name) {
  const matching = going().filter(({ squares }) => squares[chosen.length] === name);
  const short = chosen.length === 1 ? going().filter(({ squares }) => squares.at(-1) === name) : [];
  const isStart = now.legal.some((/** @type {Move} */ { squares }) => squares[0] === name);
  if (matching.length) {
    chosen.push(name);
    const whole = matching.find(({ squares }) => squares.length === chosen.length);
    if (whole && matching.length === 1) play(whole.text);
    else say(`${chosen.join(" to ")} chosen.`);
  } else if (short.length === 1) {
    play(short[0].text);
  } else if (chosen.length && name !== chosen[0] && !isStart) {
    await attempt(`${chosen[0]}-${name}`);
  } else {
    const isDropped = name === chosen[0] && chosen.length === 1;
    chosen = [];
    if (!isDropped && going().some(({ squares }) => squares[0] === name)) chosen = [name];
    say(
      chosen.length
        ? `${name} chosen.`
        : isDropped || !going().length
          ? turn
          : `${turn} Nothing can move from ${name}.`,
    );
  }
  mark();
}

/**
 * Play what was typed or clicked, or say why it cannot be played.
 * @param {string} typed
 */
async function attempt(typed) {
  await guarded(async () => {
    const mine = round;
    const move = await asked.askFor(find("#typed button"), "understand", { ...about(), typed });
    if (mine === round) play(move);
  });
}

/** @param {string} text */
function say(text) {
  said.textContent = status.textContent = text;
}

/** @param {() => Promise<void>} work */
async function guarded(work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refused) {
      chosen = [];
      if (now) mark();
      showSettings();
      say(`${capital(error.message)}.`.replace(/\.\.$/, "."));
      guarded(look); // which the question has ended
    } else if (error instanceof Stopped) {
      showSettings();
      say(error.message);
    } else throw error;
  }
}

board.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  /** @type {Record<string, number[]>} */
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const step = steps[event.key];
  if (event.key === "Escape") {
    chosen = [];
    mark();
    say(turn);
  }
  if (!step) return;
  event.preventDefault();
  const here = /** @type {HTMLElement} */ (event.target);
  const rows = [...board.rows].map((row) => [...row.cells].map((cell) => cell.firstElementChild));
  let row = here.closest("tr")?.rowIndex ?? 0;
  let column = here.closest("td")?.cellIndex ?? 0;
  do {
    row += step[0];
    column += step[1];
    // Squares of draughts stand in every second column, and in the others in the next row: one goes to and fro between two.
    const sideways = row % 2 ? -1 : 1;
    const near = step[0] ? (rows[row]?.[column + sideways] ?? rows[row]?.[column - sideways]) : null;
    const beside = rows[row]?.[column] ?? near;
    if (beside) {
      here.tabIndex = -1;
      beside.tabIndex = 0;
      beside.focus();
      return;
    }
  } while (rows[row]?.[column] !== undefined);
});

// Controls

/** @param {Changes} changes */
async function begin(changes) {
  focus = "";
  find("#behind").replaceChildren();
  if (now) status.textContent = "Setting up the board…";
  const title = games[changes.game ?? kept.state.game].title;
  await guarded(() => change({ fen: "", moves: [], at: 0, paused: false, ...changes }, title, true));
}

game.addEventListener("change", () => {
  listGames([]);
  begin({ game: game.value });
});
seats.forEach((seat, index) =>
  seat.addEventListener("change", () => guarded(() => change({ [index ? "second" : "first"]: seat.value }, ""))),
);
find("#pause").addEventListener("change", () => guarded(() => change({ paused: find("#pause").checked }, "")));
find("#new").addEventListener("click", () => begin({}));
find("#flip").addEventListener("click", () => {
  isFlipped = !isFlipped;
  guarded(() => change({}, "The board is turned."));
});

/** One's own move, and the answer to it, if one plays one side. */
function plies() {
  const mine = seats.findIndex(({ value }) => value === person);
  const isAgainst = seats.filter(({ value }) => value === person).length === 1;
  return isAgainst && now.side === games[kept.state.game].sides[mine] ? 2 : 1;
}

find("#undo").addEventListener("click", () => go((at) => at - plies(), "Taken back."));
find("#redo").addEventListener("click", () => go((at) => at + plies(), "Played again."));
/** @type {Record<string, (at: number) => number>} where the buttons and the keys of the list lead */
const STEPS = { start: () => 0, back: (at) => at - 1, on: (at) => at + 1, end: () => Infinity };
/** @type {Record<string, string>} */
const KEYS = { Home: "start", ArrowLeft: "back", ArrowRight: "on", End: "end" };
for (const [id, step] of Object.entries(STEPS)) find(`#${id}`).addEventListener("click", () => go(step));
find("#walk").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (!Object.hasOwn(KEYS, event.key)) return;
  event.preventDefault();
  go(STEPS[KEYS[event.key]]);
});

find("#hint").addEventListener("click", () =>
  guarded(async () => {
    const mine = round;
    const move = await asked.askFor(find("#hint"), "choose", { ...about(), player: "hint" });
    if (mine !== round) return;
    guarded(look); // which the hint has ended
    say(`Hint: ${move}.`);
    const legal = now.legal.find((/** @type {Move} */ { text }) => text === move);
    for (const button of board.querySelectorAll("button")) {
      button.classList.toggle("hinted", legal.squares.includes(button.dataset.square));
    }
  }),
);
find("#why").addEventListener("click", () =>
  guarded(async () => {
    const behind = find("#behind");
    behind.replaceChildren(make("p", { class: "note" }, ["Thinking…"]));
    // after the answer of a program, what it looked at before; else what speaks for the next move
    const { moves, at } = kept.state;
    const isAnswered = at > 0 && seatOf(now.side) === person && seats.some(({ value }) => value !== person);
    const mine = round;
    const position = about({ ...kept.state, at: isAnswered ? at - 1 : at });
    const found = await asked.ask("why", position).finally(() => behind.replaceChildren());
    if (mine !== round) return;
    if (found.tree) fill(behind, found.tree);
    else behind.replaceChildren(...linesOf(found));
    behind.prepend(make("h2", { tabindex: "-1" }, [isAnswered ? `Why ${moves[at - 1]}?` : "What can be played?"]));
    behind.firstElementChild.focus({ preventScroll: true });
    behind.scrollIntoView({ block: "start" });
    guarded(look);
  }),
);

/** @param {{side: string, depth: number, positions: number, lines: {value: string, moves: string[]}[]}} found */
function linesOf({ side, depth, positions, lines }) {
  const looked = `${positions.toLocaleString("en")} positions`;
  return [
    make("p", {}, [
      `The best lines of play for ${side}, as seen ${depth} plies deep, after ${looked}. A man is worth 1.`,
    ]),
    make(
      "ol",
      {},
      lines.map(({ value, moves }) => make("li", {}, [make("b", {}, [value]), ` ${moves.join(" ")}`])),
    ),
  ];
}

find("#typed").addEventListener("submit", (/** @type {any} */ event) => {
  event.preventDefault();
  const { move } = event.target.elements;
  attempt(move.value);
  move.value = "";
});
find("#stop").addEventListener("click", () => {
  press(false);
  asked.stop();
  if (busy.python) python?.stop("Stopped. Python is starting again.");
  guarded(() => change({ paused: true }, "Stopped."));
});

// Analysis while one thinks

const isPressed = () => analysis.getAttribute("aria-pressed") === "true";

/** @param {boolean} isOn whether what can be played is looked at while nothing else is done */
function press(isOn) {
  analysis.setAttribute("aria-pressed", String(isOn));
  seen.hidden = !isOn;
  seen.replaceChildren();
}

analysis.addEventListener("click", () => {
  press(!isPressed());
  lookOrEnd();
});
document.addEventListener("visibilitychange", lookOrEnd);

/** Whether one wants to see what can be played, and does. */
const isSeen = () => isPressed() && !document.hidden;

function lookOrEnd() {
  if (isSeen()) {
    guarded(look);
  } else if (isLooking) {
    isLookEnded = true;
    asked.endAnalysis();
  }
}

/** Look at the position until something else is asked, if it is a person's turn. Each change ends with this. */
async function look() {
  if (!isSeen() || isLooking || unmade || !now || now.end || isThinking()) return;
  const mine = round;
  isLooking = true;
  try {
    const why = await asked.analyse(about(), (found) => {
      if (mine === round && isSeen() && !isLookEnded) seen.replaceChildren(...linesOf(found));
    });
    if (mine !== round) return;
    seen.querySelector(".note")?.remove();
    if (why) seen.append(make("p", { class: "note" }, [why]));
  } finally {
    isLooking = false;
    if (isLookEnded) guarded(look);
    isLookEnded = false;
  }
}

// Files of games

find("#write").addEventListener("click", () =>
  guarded(async () => {
    const players = seats.map(({ value }) => (value === person ? "You" : value));
    find("#pdn").value = await asked.askFor(find("#write"), "write", { ...about(), players });
    said.textContent = "The game is below as PDN.";
  }),
);
find("#read").addEventListener("click", () => openFile(find("#pdn").value));
find("#file").addEventListener("change", (/** @type {any} */ { target }) => openFiles(target.files));
find("#games").addEventListener("change", () => openGame(Number(find("#games").value)));
for (const name of ["dragover", "drop"]) {
  addEventListener(name, (event) => {
    event.preventDefault();
    const { dataTransfer } = /** @type {DragEvent} */ (event);
    if (name === "drop" && dataTransfer?.files.length) openFiles(dataTransfer.files);
  });
}

/** @param {FileList} files */
async function openFiles(files) {
  const texts = await Promise.all([...files].map((file) => file.text()));
  await openFile(texts.join("\n\n"));
}

/**
 * List the games of a text of PDN, and open the first.
 * @param {string} pdn
 */
async function openFile(pdn) {
  await guarded(async () => {
    const names = await asked.askFor(find("#read"), "listed", { game: kept.state.game, text: pdn });
    pdnText = pdn;
    listGames(names);
    await openGame(1);
  });
}

/** @param {string[]} names of the games of a file; fewer than two are not listed */
function listGames(names) {
  const options = names.map((name, index) => make("option", { value: index + 1 }, [`${index + 1}. ${name}`]));
  find("#games").replaceChildren(...options);
  find("#games-of").hidden = names.length < 2;
}

/** @param {number} number */
async function openGame(number) {
  await guarded(async () => {
    const wanted = { game: kept.state.game, text: pdnText, number };
    const { fen, moves, warnings } = await asked.askFor(find("#read"), "read", wanted);
    await begin({ fen, moves, at: 0, paused: true });
    if (warnings.length) say(`${capital(warnings.join(". "))}.`);
    find("#on").focus();
  });
}

find("#setup").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  shownFen = find("#fen").value;
  begin({ fen: shownFen });
});

for (const [name, { title }] of Object.entries(games)) game.append(make("option", { value: name }, [title]));
show(await kept.restore());
offerWorks(kept);
