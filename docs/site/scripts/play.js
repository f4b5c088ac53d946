/** The page to play on: a person or a program on each side; rules, players and notation are Python's. */

import { find, given, make } from "./parts/elements.js";
import { Refused, Stopped, pythonOf } from "./parts/python.js";

const { games, strengths } = given();
const [game, board, said, history, status] = ["game", "board", "said", "history", "status"].map((id) => find(`#${id}`));
const seats = [find("#first"), find("#second")];

/** What is played: all that a reload would have to know. */
let played = { game: "strachey", fen: "", /** @type {string[]} */ moves: [], /** @type {string[]} */ undone: [] };
let isFlipped = false;
/** @type {any} the answer of `state`, once there is one */
let now = null;
/** @type {string[]} the squares that were chosen for the next move */
let chosen = [];
let round = 0; // grows whenever the game is another one, so that a late answer is not played
let focus = "";
let turn = ""; // whose it is, or how the game ended

const python = pythonOf((state) => {
  find("#stop").hidden = state !== "busy";
});
const asked = () => ({ game: played.game, fen: played.fen, moves: played.moves });
const person = "me";

// Players

function fillSeats() {
  const { sides, players } = games[played.game];
  seats.forEach((seat, index) => {
    const before = seat.value;
    find(`label[for=${seat.id}]`).textContent = capital(sides[index]);
    seat.replaceChildren(
      make("option", { value: person }, ["You"]),
      make("optgroup", { label: "Strength" }, Object.keys(strengths).map(option)),
      make("optgroup", { label: "Other players" }, players.map(option)),
    );
    seat.value = [...seat.options].some((each) => each.value === before) ? before : index ? usual(players) : person;
  });
}

/** The opponent that a game begins with: the program of 1966 in its own game. */
const usual = (players) => (players[0].startsWith("strachey") ? players[0] : "medium");
const option = (value) =>
  make("option", { value }, [value === "strachey:2" ? "the program of 1966 (strachey:2)" : value]);
const capital = (text) => text[0].toUpperCase() + text.slice(1);
const seatOf = (side) => seats[games[played.game].sides.indexOf(side)].value;

// The board

async function refresh(news = "") {
  const mine = ++round;
  chosen = [];
  const found = await python.ask("state", { ...asked(), flipped: isFlipped });
  if (mine !== round) return;
  now = found;
  draw();
  const by = now.end ? person : seatOf(now.side);
  const isPaused = find("#pause").checked;
  turn = now.end
    ? `The game is over: ${now.end.winner ? `${now.end.winner} wins` : "a draw"}; ${now.end.why}.`
    : `${capital(now.side)} to move: ${by === person ? "your turn" : `${by} ${isPaused ? "waits" : "is thinking"}`}.`;
  status.textContent = turn;
  said.textContent = news ? `${news} ${turn}` : turn;
  if (by !== person && !isPaused) await reply(mine);
}

async function reply(mine) {
  const move = await python.ask("choose", { ...asked(), player: seatOf(now.side) });
  if (mine === round) play(move);
}

function draw() {
  find("#picture").innerHTML = now.board;
  find("#picture svg").setAttribute("aria-hidden", "true");
  board.style.inset = `${marginOf(find("#picture svg"))}%`;
  board.replaceChildren(
    ...now.rows.map((row) => make("tr", {}, row.map((square) => make("td", {}, square ? [squareButton(square)] : [])))),
  );
  mark();
  history.replaceChildren(
    ...now.numbered.map((text) => make("li", {}, [text])),
  );
  history.scrollTop = history.scrollHeight;
  find("#count").textContent = Object.entries(now.counts)
    .map(([side, pieces]) => `${capital(side)}: ${pieces}`)
    .join(" · ");
  const isMine = !now.end && seatOf(now.side) === person;
  find("#moves").replaceChildren(
    ...(isMine ? now.legal : []).map(({ text }) =>
      make("li", {}, [make("button", { type: "button", onclick: () => play(text) }, [text])]),
    ),
  );
  find("#typed input").placeholder = now.legal[0]?.text ?? "";
  for (const id of ["hint", "why"]) find(`#${id}`).disabled = Boolean(now.end);
  find("#undo").disabled = !played.moves.length;
  find("#redo").disabled = !played.undone.length;
  find("#fen").value = now.fen;
  if (focus) find(`[data-square="${focus}"]`)?.focus();
}

/** The frame of the picture in per cent of its width. */
function marginOf(svg) {
  const [frame, square] = svg.querySelectorAll("rect");
  return (100 * square.x.baseVal.value) / frame.width.baseVal.value;
}

function squareButton({ name, side, piece }) {
  const made = make("button", {
    type: "button",
    "data-square": name,
    "aria-label": `${name}, ${piece ? `${side} ${piece}` : "empty"}`,
    onclick: () => select(name),
    onfocus: () => {
      focus = name;
    },
  });
  made.tabIndex = name === (focus || now.rows.flat().find(Boolean).name) ? 0 : -1;
  return made;
}

/** The moves that go on from the chosen squares. */
const going = () =>
  now.end || seatOf(now.side) !== person
    ? []
    : now.legal.filter(({ squares }) => chosen.every((name, index) => squares[index] === name));

/** Mark the squares that can be clicked now, and those that were. */
function mark() {
  const next = new Set(going().map(({ squares }) => squares[chosen.length]));
  for (const each of board.querySelectorAll("button")) {
    const { square } = each.dataset;
    each.classList.toggle("possible", next.has(square));
    each.classList.toggle("chosen", chosen.includes(square));
    each.setAttribute("aria-pressed", String(chosen.includes(square)));
  }
}

async function select(name) {
  const matching = going().filter(({ squares }) => squares[chosen.length] === name);
  const short = chosen.length === 1 ? going().filter(({ squares }) => squares.at(-1) === name) : [];
  if (matching.length) {
    chosen.push(name);
    const whole = matching.find(({ squares }) => squares.length === chosen.length);
    if (whole && matching.length === 1) play(whole.text);
    else say(`${chosen.join(" to ")} chosen.`);
  } else if (short.length === 1) {
    play(short[0].text);
  } else if (chosen.length && name !== chosen[0] && !now.legal.some(({ squares }) => squares[0] === name)) {
    await attempt(`${chosen[0]}-${name}`);
  } else {
    const isDropped = name === chosen[0] && chosen.length === 1;
    chosen = [];
    if (!isDropped && going().some(({ squares }) => squares[0] === name)) chosen = [name];
    say(chosen.length ? `${name} chosen.` : isDropped || !going().length ? turn : `${turn} Nothing can move from ${name}.`);
  }
  mark();
}

/** Play what was typed or clicked, or say why it cannot be played. */
async function attempt(text) {
  await guarded(async () => play(await python.ask("understand", { ...asked(), typed: text })));
}

function play(move) {
  const { side } = now;
  played = { ...played, moves: [...played.moves, move], undone: [] };
  find("#behind").replaceChildren();
  guarded(() => refresh(`${capital(side)} played ${move}.`));
}

function say(text) {
  said.textContent = status.textContent = text;
}

async function guarded(work) {
  try {
    await work();
  } catch (error) {
    if (error instanceof Refused) {
      chosen = [];
      if (now) mark();
      say(capital(error.message));
    } else if (error instanceof Stopped) {
      say("Stopped. Python is starting again.");
    } else throw error;
  }
}

board.addEventListener("keydown", (event) => {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  if (event.key === "Escape") {
    chosen = [];
    mark();
    say(turn);
  }
  if (!step) return;
  event.preventDefault();
  const rows = [...board.rows].map((row) => [...row.cells].map((cell) => cell.firstElementChild));
  let [row, column] = [event.target.closest("tr").rowIndex, event.target.closest("td").cellIndex];
  do {
    row += step[0];
    column += step[1];
    const beside = rows[row]?.[column] ?? (step[0] ? rows[row]?.[column + 1] ?? rows[row]?.[column - 1] : null);
    if (beside) {
      event.target.tabIndex = -1;
      beside.tabIndex = 0;
      beside.focus();
      return;
    }
  } while (rows[row]?.[column] !== undefined);
});

// Controls

function begin(fen = "", moves = []) {
  played = { game: game.value, fen, moves, undone: [] };
  focus = "";
  find("#behind").replaceChildren();
  const { name } = game.selectedOptions[0];
  if (now) status.textContent = "Setting up the board…";
  return guarded(() => refresh(name));
}

game.addEventListener("change", () => {
  played.game = game.value;
  fillSeats();
  begin();
});
for (const seat of seats) seat.addEventListener("change", () => guarded(() => refresh()));
find("#pause").addEventListener("change", () => guarded(() => refresh()));
find("#new").addEventListener("click", () => begin());
find("#flip").addEventListener("click", () => {
  isFlipped = !isFlipped;
  guarded(() => refresh("The board is turned."));
});
find("#undo").addEventListener("click", () => {
  // one's own move, and the answer to it
  const { sides } = games[played.game];
  const back = seats.filter((seat) => seat.value === person).length === 1 && played.moves.length > 1 && now.side === sides[seats.findIndex((seat) => seat.value === person)] ? 2 : 1;
  const moves = played.moves.slice(0, -back);
  played = { ...played, moves, undone: [...played.moves.slice(-back), ...played.undone] };
  find("#behind").replaceChildren();
  guarded(() => refresh("Taken back."));
});
find("#redo").addEventListener("click", () => {
  const both = seats.filter((seat) => seat.value === person).length === 1 ? 2 : 1;
  const [again, undone] = [played.undone.slice(0, both), played.undone.slice(both)];
  played = { ...played, moves: [...played.moves, ...again], undone };
  guarded(() => refresh("Played again."));
});
find("#hint").addEventListener("click", () =>
  guarded(async () => {
    const move = await python.ask("choose", { ...asked(), player: "hint" });
    say(`Hint: ${move}.`);
    const legal = now.legal.find(({ text }) => text === move);
    for (const each of board.querySelectorAll("button")) {
      each.classList.toggle("hinted", legal.squares.includes(each.dataset.square));
    }
  }),
);
find("#why").addEventListener("click", () =>
  guarded(async () => {
    const behind = find("#behind");
    behind.replaceChildren(make("p", { class: "note" }, ["Thinking…"]));
    // after the answer of a program, what it looked at before; else what speaks for the next move
    const last = now.side && seatOf(now.side) === person && played.moves.length ? -1 : played.moves.length;
    const moves = played.moves.slice(0, last);
    const found = await python.ask("why", { ...asked(), moves });
    if (found.tree) behind.innerHTML = found.tree;
    else behind.replaceChildren(...linesOf(found));
    const what = last === -1 ? `Why ${played.moves.at(-1)}?` : "What can be played?";
    behind.prepend(make("h2", { tabindex: "-1" }, [what]));
    behind.firstElementChild.focus();
  }),
);

function linesOf({ side, depth, positions, lines }) {
  return [
    make("p", {}, [
      `The best lines of play for ${side}, as seen ${depth} plies deep, after ${positions.toLocaleString("en")} positions. A man is worth 1.`,
    ]),
    make("ol", {}, lines.map(({ value, moves }) => make("li", {}, [make("b", {}, [value]), ` ${moves.join(" ")}`]))),
  ];
}

find("#typed").addEventListener("submit", (event) => {
  event.preventDefault();
  const { move } = event.target.elements;
  attempt(move.value);
  move.value = "";
});
find("#stop").addEventListener("click", () => {
  find("#pause").checked = true;
  python.stop();
});
find("#write").addEventListener("click", () =>
  guarded(async () => {
    const players = seats.map((seat) => (seat.value === person ? "You" : seat.value));
    find("#pdn").value = await python.ask("write", { ...asked(), players });
    said.textContent = "The game is below as PDN.";
  }),
);
find("#read").addEventListener("click", () =>
  guarded(async () => {
    const found = await python.ask("read", { game: played.game, text: find("#pdn").value });
    find("#pause").checked = true;
    await begin(found.fen, found.moves);
    if (found.warnings.length) say(capital(found.warnings.join(". ")) + ".");
  }),
);
find("#setup").addEventListener("submit", (event) => {
  event.preventDefault();
  begin(find("#fen").value);
});

for (const [name, { title }] of Object.entries(games)) game.append(make("option", { value: name }, [title]));
game.value = played.game;
fillSeats();
begin();
