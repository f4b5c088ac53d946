/** The playground: a text of one's own or an example, its Python, its problems, calls, stages, steps. */

import { make } from "../../../cpl/study/views/static/elements.js";
import { Beside } from "./parts/beside.js";
import { offerWorks } from "./parts/offer.js";
import { complain, find, pageData } from "./parts/page.js";
import { goalOf, problem } from "./parts/problems.js";
import { Outdated, Refused, Stopped, pythonOf, quietly } from "./parts/python.js";
import { resultOf } from "./parts/result.js";
import { EMPTY, Kept, readingOf } from "./parts/state.js";
import { showSteps } from "./parts/stepping.js";
import { beside, teller } from "./parts/told.js";
import { Workplace } from "./parts/workplace.js";

/** @typedef {{id: string, name: string, title: string, group: string, origin: string, text: string, call: string}} Example */

const NO_CALL = "Write a call below: each of its steps is shown here.";
const NO_RESULT = "Run shows here what the call gives.";
const POSITION = 'LegalPositionsFrom(board("B:W18,25:B14"))';
const UNCOMPILED = "Stopped. The text is compiled again when it changes.";
const STOPPED = "Stopped. Python is starting again.";
const OWN = { id: "", name: "", title: "A text of your own", group: "", origin: "", text: "", call: "" };

/** @type {{examples: Example[], first: any}} the first example, and what is known of it */
const { examples, first } = pageData();
const [example, reading, origin, call, tabs, panel, output, stop, share] = [
  "example",
  "reading",
  "origin",
  "call",
  "tabs",
  "panel",
  "output",
  "stop",
  "share",
].map((id) => find(`#${id}`));
/** @type {HTMLSelectElement[]} */
const switches = [...reading.querySelectorAll("select")];
const kept = new Kept({ ...EMPTY, example: first.id }, show);
/** What each switch is about, as its label says. */
const namesOf = new Map(switches.map((select) => [select, select.labels[0].firstChild?.textContent?.trim() ?? ""]));
let runs = 0; // that have not ended
let isBusy = false;
/** Whether what the reading changes is to be brought into sight, once it is known. */
let isRevealing = false;
/** Whether the steps of the call are to be recorded, once the program is sound: not before the button, nor with every change. */
let isRecording = false;
/** The program whose steps are shown, or will be. */
let recorded = "";

const python = pythonOf((state) => {
  isBusy = state === "busy";
  allowStop();
});

const shown = () => examples.find(({ id }) => id === kept.state.example) ?? OWN;
const asWritten = () => JSON.stringify({ ...program(), text: page.editor.text });
const program = () => ({ name: shown().name, reading: kept.state.reading });

const page = new Beside({
  editor: find("#editor"),
  target: find("#python"),
  problems: find("#problems"),
  older: find("#older"),
  text: shown().text,
  python,
  program,
  typed,
  compiled: async () => {
    if (isRevealing) page.reveal();
    isRevealing = false;
    await showStage();
  },
  failed: explain,
  run,
});

const workplace = new Workplace(find("main"), run);
find("#problems").addEventListener("click", () => workplace.show("cpl"));
find("[data-problems]").addEventListener("click", () => workplace.show("result"));

/** @param {string} text */
function typed(text) {
  const { text: known, call: usual } = shown();
  kept.replace({ text: text === known ? null : text });
  // Once no line of an example is left, the text is one's own, and the example's call is not about it.
  const lines = new Set(text.split("\n").filter((line) => line.trim()));
  if (!known || known.split("\n").some((line) => lines.has(line))) return;
  kept.replace({ example: "", text, call: call.value === usual ? "" : call.value });
  example.value = "";
  origin.textContent = "";
  call.value = kept.state.call;
}

// What the page shows at first, and after back and forward

const groups = Map.groupBy(examples, ({ group }) => group);
for (const [label, members] of groups) {
  const options = members.map(({ id, title }) => make("option", { value: id }, [title]));
  example.append(make("optgroup", { label }, options));
}
example.append(make("option", { value: "" }, [OWN.title]));

/** @param {string[]} [problems] of the address */
function show(problems = []) {
  const { state } = kept;
  if (state.example && shown() === OWN) {
    problems = [...problems, `There is no example “${state.example}”.`];
    kept.state = { ...state, example: state.text === null ? first.id : "" };
  }
  complain(problems);
  const { id, text, call: usual } = shown();
  example.value = id;
  origin.textContent = shown().origin;
  call.value = state.call ?? usual;
  const chosen = readingOf(state.reading)?.chosen;
  for (const select of switches) select.value = chosen?.[select.name] ?? select.value;
  tellReading();
  reading.open = state.reading !== "set";
  showNoResult();
  linkBoard();
  choose(state.pane);
  isRevealing = state.reading !== "set";
  isRecording = false;
  recorded = "";
  workplace.show(state.pane === "python" ? "cpl" : "python");
  if (state.pane === "trace") offerSteps(find("#stage"));
  page.editor.text = state.text ?? text;
  page.clear("Python is on its way…");
  page.refresh();
  if (id && state.text === null && state.reading === "set") showKnown(id).catch(console.warn); // Python will tell
}

/**
 * Show what the build knows of an example, before Python is there.
 * @param {string} id
 */
async function showKnown(id) {
  const address = `assets/examples/${id.replaceAll("/", "-")}.json`;
  const known = id === first.id ? first : await knownAt(address);
  if (page.editor.text === known.text && !page.target.querySelector(".line")) page.show(known);
}

/** @param {string} address */
async function knownAt(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address}: ${answer.status}`);
  return answer.json();
}

/** Say in one line how the text is read. */
function tellReading() {
  const unusual = switches.filter(({ selectedIndex }) => selectedIndex > 0);
  const words = unusual.map((select) => `${namesOf.get(select)} ${select.selectedOptions[0].text}`);
  find("#reading summary").textContent = words.length ? `Read otherwise: ${words.join(", ")}` : "Read as usual";
}

/** Say what stands where the result will be. */
function showNoResult() {
  const about =
    shown().name === "strachey.cpl" ? [" A position may stand in FEN: ", make("code", {}, [POSITION]), "."] : [];
  output.replaceChildren(make("p", { class: "note" }, [NO_RESULT, ...about]));
}

example.addEventListener("change", () => {
  const changes = { example: example.value, text: example.value ? null : "", call: null };
  const isAsPackaged = kept.state.text === null && kept.state.call === null;
  if (isAsPackaged) kept.replace(changes);
  else kept.open(changes); // what is one's own is not lost
  show();
});
for (const select of switches) {
  select.addEventListener("change", () => {
    const chosen = switches.map(({ name, value }) => `${name}=${value}`).join(",");
    kept.open({ reading: readingOf(chosen)?.name ?? "set" });
    tellReading();
    isRevealing = true;
    page.refresh();
  });
}
call.addEventListener("input", () => {
  kept.replace({ call: call.value === shown().call ? null : call.value });
  linkBoard();
});

/** Lead back to the board from a call that is about a position. */
function linkBoard() {
  const fen = /board\s*\(\s*["“‘]([^"”’]*)/.exec(call.value)?.[1];
  find("#on-board").hidden = !fen;
  if (fen) find("#on-board").href = `play.html#${new URLSearchParams({ fen })}`;
}

/**
 * Say what the reading does.
 * @param {number} errors
 */
function explain(errors) {
  const changes = find("#changes");
  changes.hidden = kept.state.reading === "set";
  changes.textContent = errors
    ? "Read so, the text is at fault: it asks for what no value can give, and cannot have been meant so. The list of problems says where."
    : "A bar at the left marks what this reading changes.";
  if (errors && kept.state.reading !== "set") page.clear("There is no Python: read so, the text is at fault.");
  if (errors && kept.state.pane !== "trace") showStage();
}

// Stages

const showStage = () => quietly(showPane);

async function showPane() {
  const { pane } = kept.state;
  const box = find("#stage");
  if (pane === "python") return;
  if (pane === "trace") {
    if (isRecording) await steps(box);
    else if (recorded !== asWritten()) offerSteps(box);
    return;
  }
  const { asked, wanted } = page.editor.asWritten();
  const isShown = () => wanted() && pane === kept.state.pane;
  try {
    const stage = await python.ask("stage", { ...asked, which: pane }, isShown);
    if (isShown()) box.replaceChildren(make("pre", { tabindex: "0" }, [stage]));
  } catch (error) {
    if (error instanceof Outdated) throw error;
    if (!(error instanceof Refused || error instanceof Stopped)) throw error;
    const why = error.message === "stopped" ? STOPPED : error.message;
    if (isShown()) box.replaceChildren(make("pre", { tabindex: "0" }, [why]));
  }
}

/**
 * Show what would be run. It waits for the button: a link may come from a stranger.
 * @param {HTMLElement} box
 */
function offerSteps(box) {
  page.editor.markStep(null);
  const words = call.value.trim()
    ? ["Press Steps to run ", make("code", {}, [call.value]), " and record its steps."]
    : [];
  box.replaceChildren(make("p", { class: "note" }, words.length ? words : [NO_CALL]));
}

/** @param {string} pane */
function choose(pane) {
  for (const tab of tabs.children) {
    const isChosen = tab.value === pane;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    if (isChosen) panel.setAttribute("aria-labelledby", tab.id);
  }
  find("#python").hidden = pane !== "python";
  find("#stage").hidden = pane === "python";
  if (pane !== "python") find("#stage").replaceChildren(teller("p"));
  page.editor.markStep(null);
}

/** @param {string} pane */
function open(pane) {
  kept.replace({ pane });
  isRecording = true;
  choose(pane);
  showStage();
}

tabs.addEventListener("click", (/** @type {{target: any}} */ { target }) => {
  if (target.value) open(target.value);
});
tabs.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const all = [...tabs.children];
  const at = all.indexOf(document.activeElement);
  /** @type {Record<string, number>} */
  const goals = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 };
  if (!(event.key in goals)) return;
  const next = all[(goals[event.key] + all.length) % all.length];
  next.focus();
  open(next.value);
  event.preventDefault();
});

// Calls

function allowStop() {
  stop.disabled = !runs && !isBusy;
}

/** @param {() => Promise<void>} work */
async function watched(work) {
  runs++;
  allowStop();
  try {
    await work();
  } catch (error) {
    if (error instanceof Stopped) {
      const why = error.message === "stopped" ? STOPPED : error.message;
      output.replaceChildren(make("p", { class: "fault" }, [why]));
    } else if (error instanceof Refused) {
      const found = error.findings.map((finding) => problem(finding, page.editor, goalOf(call)));
      const said = make("p", { class: "fault" }, [error.message]);
      output.replaceChildren(found.length ? make("ul", { class: "problems" }, found) : said);
    } else throw error;
  } finally {
    runs--;
    allowStop();
  }
}

async function run() {
  workplace.show("result");
  output.replaceChildren(teller("p"));
  await watched(async () => {
    const found = await python.ask("run", { ...program(), text: page.editor.text, call: call.value });
    output.replaceChildren(...resultOf(found, page.editor));
  });
}

/** @param {HTMLElement} box */
async function steps(box) {
  isRecording = false;
  if (!call.value.trim()) {
    box.replaceChildren(make("p", { class: "note" }, [NO_CALL]));
    return;
  }
  recorded = asWritten();
  box.replaceChildren(teller("p"));
  await watched(async () => {
    try {
      const view = await python.ask("steps", { ...program(), text: page.editor.text, call: call.value });
      if (recorded !== asWritten()) {
        offerSteps(box); // as the text was changed meanwhile
        return;
      }
      const { buttons } = showSteps(box, view, page.editor);
      if (document.activeElement === find("#steps")) buttons.step?.focus({ preventScroll: true }); // its keys work there
    } catch (error) {
      recorded = "";
      if (error instanceof Stopped) offerSteps(box);
      else box.replaceChildren(make("p", { class: "note" }, ["There are no steps to show."]));
      throw error;
    }
  });
}

find("#run").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  run();
});
find("#steps").addEventListener("click", () => {
  workplace.show("python");
  open("trace");
});
stop.addEventListener("click", () => {
  const isCompiling = python.stop();
  if (!isCompiling) return;
  output.replaceChildren(make("p", { class: "note" }, [UNCOMPILED]));
  if (!page.target.querySelector(".line")) page.clear("The text was not compiled.");
});

// Taking along

share.addEventListener("click", async () => {
  const address = await kept.address();
  const said = find("#shared");
  if (!address) {
    said.textContent = "The program is too long for a link.";
    return;
  }
  try {
    await navigator.clipboard.writeText(address);
    said.textContent = "The link is copied.";
  } catch {
    said.textContent = "The address bar holds the link.";
  }
});

find("#download").addEventListener("click", async () => {
  await watched(async () => {
    const asked = python.ask("standalone", { ...program(), text: page.editor.text });
    const text = await beside(find("#download"), asked);
    const stem = (shown().name || "program")
      .replace(/^.*\//, "")
      .replace(/\.cpl$/, "")
      .replaceAll(/\W/g, "_");
    const address = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
    make("a", { href: address, download: `${stem}.py` }).click();
    URL.revokeObjectURL(address);
  });
});

show(await kept.restore());
offerWorks(kept);
