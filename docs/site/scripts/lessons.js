/** Lessons: one screen at a time, with a program to change or values to find, and a check. */

import { CplEditor } from "./parts/editor.js";
import { complain, find, pageData } from "./parts/page.js";
import { problem } from "./parts/problems.js";
import { Refused, Stopped, pythonOf } from "./parts/python.js";
import { Progress } from "./parts/progress.js";
import { briefResultOf } from "./parts/result.js";
import { storageOf } from "./parts/storage.js";

/** @typedef {{name: string, program: string | null, call: string | null, check: any}} Lesson a call is null if there is none to make */
/** @typedef {import("./parts/beside.js").Finding} Finding */

/** @type {{lessons: Lesson[]}} */
const { lessons } = pageData();
const [desk, calls, call, stop, verdict, problems, output, back, next, turned] = [
  "desk",
  "calls",
  "call",
  "stop",
  "verdict",
  "problems",
  "output",
  "back",
  "next",
  "progress",
].map((id) => find(`#${id}`));
const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);
const progress = new Progress(storageOf(window));
let lesson = lessons[0];
let runs = 0; // that have not ended
let isBusy = false;

const python = pythonOf((state) => {
  isBusy = state === "busy";
  allowStop();
});
const editor = new CplEditor({
  parent: find("#editor"),
  text: "",
  label: "Program in CPL",
  python,
  program: () => ({ name: lesson.name, reading: "set" }),
  typed: (text) => {
    progress.change(lesson.name, { text });
    output.classList.add("stale");
  },
  checked: list,
  run: check,
});

// Which lesson is shown

const screenOf = (/** @type {Lesson} */ { name }) => find(`#${name}`);
const titleOf = (/** @type {Lesson} */ each) => screenOf(each).querySelector("h2");
const courseOf = (/** @type {Lesson} */ { name }) => linkTo(name).closest(".course");
const linkTo = (/** @type {string} */ name) => find(`.courses a[href="#${name}"]`);
const fieldsOf = (/** @type {Lesson} */ each) => [
  .../** @type {any} */ (screenOf(each)).querySelectorAll("input[name]"),
];

/** @param {boolean} isTurned whether somebody came here from another lesson */
function show(isTurned) {
  const name = decodeURIComponent(location.hash.slice(1));
  const found = lessons.find((each) => each.name === name);
  complain(name && !found ? [`There is no lesson “${name}”.`] : []);
  if (runs && found !== lesson) python.stop();
  lesson = found ?? lessons.find((each) => !progress.of(each.name).isDone) ?? lessons[0];
  if (!found) history.replaceState(null, "", `#${lesson.name}`);
  for (const each of lessons) screenOf(each).classList.toggle("shown", each === lesson);
  for (const link of document.querySelectorAll(".courses a")) {
    link.toggleAttribute("aria-current", link.getAttribute("href") === `#${lesson.name}`);
  }
  screenOf(lesson).querySelector(".work")?.append(desk);

  const answered = progress.of(lesson.name);
  const { program } = lesson;
  find("#editor").hidden = program === null;
  find("#check").textContent = program === null ? "Check" : "Run and check";
  calls.hidden = lesson.call === null;
  if (answered.isDone) say("right", "Done before.");
  else say("");
  problems.replaceChildren();
  output.replaceChildren();
  output.classList.remove("stale");
  call.value = answered.call ?? lesson.call ?? "";
  for (const field of fieldsOf(lesson)) field.value = answered.fields?.[field.name] ?? "";
  if (program !== null) showProgram(answered.text ?? program);
  turn();
  if (!isTurned) return;
  scrollTo(0, 0);
  titleOf(lesson).focus({ preventScroll: true });
}

/** @param {string} text */
function showProgram(text) {
  editor.text = text;
  if (text !== lesson.program) {
    editor.check();
    return;
  }
  editor.show(lesson.check);
  list(lesson.check.diagnostics);
  const known = screenOf(lesson).querySelector(".given .result");
  output.replaceChildren(...(known ? [...known.cloneNode(true).childNodes] : []));
}

/** Say where one is, and where back and next lead. */
function turn() {
  const at = lessons.indexOf(lesson);
  const course = courseOf(lesson);
  const members = lessons.filter((each) => courseOf(each) === course);
  const done = members.filter(({ name }) => progress.of(name).isDone).length;
  turned.textContent = `${members.indexOf(lesson) + 1} of ${members.length}, ${done} done`;
  for (const [link, goal, words] of [
    [back, lessons[at - 1], "Back"],
    [next, lessons[at + 1], "Next"],
  ]) {
    if (goal) link.href = `#${goal.name}`;
    else link.removeAttribute("href");
    link.title = goal ? `${words}: ${titleOf(goal).textContent}` : "";
  }
  for (const { name } of lessons) {
    linkTo(name).parentElement.classList.toggle("done", Boolean(progress.of(name).isDone));
  }
  document.title = `${titleOf(lesson).textContent} – Lessons – cplc`;
}

addEventListener("hashchange", () => {
  find(".plan").open = false;
  show(true);
});
addEventListener(
  "keydown",
  (event) => {
    const isInEditor = find("#editor").contains(document.activeElement);
    if (event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && !(isMac && isInEditor)) {
      const link = { ArrowRight: next, ArrowLeft: back }[event.key];
      if (!link) return;
      event.preventDefault(); // a browser would go back in its history
      event.stopPropagation();
      link.click();
    }
    const isRun = event.key === "Enter" && (isMac ? event.metaKey : event.ctrlKey);
    const isInFields = /** @type {Element} */ (event.target).matches(".fields input"); // a form of several submits nothing
    if ((isRun && !isInEditor) || (event.key === "Enter" && isInFields)) {
      event.preventDefault();
      check();
    }
  },
  true,
);

// The answer

call.addEventListener("input", () => progress.change(lesson.name, { call: call.value }));
find("#lessons").addEventListener("input", (/** @type {{target: any}} */ { target }) => {
  if (!target.form?.matches(".fields")) return;
  const fields = Object.fromEntries(fieldsOf(lesson).map(({ name, value }) => [name, value]));
  progress.change(lesson.name, { fields });
  say("");
});
find("#lessons").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  check();
});
find("#again").addEventListener("click", () => {
  call.value = lesson.call ?? "";
  progress.change(lesson.name, { fields: {}, call: call.value });
  for (const field of fieldsOf(lesson)) field.value = "";
  if (lesson.program !== null) editor.replace(lesson.program);
  say("");
});
find("#forget").addEventListener("click", () => {
  progress.forget();
  show(false);
});
stop.addEventListener("click", () => python.stop());

function allowStop() {
  stop.hidden = !runs && !isBusy;
}

/** @param {Finding[]} found */
function list(found) {
  problems.replaceChildren(...found.map((finding) => problem(finding, editor)));
}

const BEGINNINGS = { right: "✓ ", "not yet": "✗ Not yet. ", waits: "", "": "" };

/**
 * @param {"right" | "not yet" | "waits" | ""} how
 * @param {string} [words]
 */
function say(how, words = "") {
  find("#turn").classList.toggle("right", how === "right");
  verdict.dataset.how = how;
  verdict.textContent = `${BEGINNINGS[how]}${words}`;
}

async function check() {
  const checked = lesson;
  const isHere = () => lesson === checked;
  runs++;
  allowStop();
  say("waits", python.isReady ? "Running…" : "Python is loading…");
  try {
    const wrong = checked.program === null ? await ask({}) : await runAndAsk(isHere);
    if (!wrong) progress.change(checked.name, { isDone: true });
    if (!isHere()) return;
    say(wrong ? "not yet" : "right", wrong ?? "Right.");
    verdict.scrollIntoView({ block: "nearest" });
    turn();
  } catch (error) {
    if (!(error instanceof Refused || error instanceof Stopped)) throw error;
    if (isHere()) say("not yet", error.message === "stopped" ? "The run was stopped." : error.message);
  } finally {
    runs--;
    allowStop();
  }
}

/**
 * What is wrong with the answer, null if it is right.
 * @param {{text?: string}} answer
 * @returns {Promise<string | null>}
 */
function ask({ text = "" }) {
  const fields = Object.fromEntries(fieldsOf(lesson).map(({ name, value }) => [name, value]));
  return python.ask("verdict", { name: lesson.name, text, fields });
}

/**
 * Run the program, show what comes of it, and ask what is wrong with it.
 * @param {() => boolean} isHere whether the lesson is still shown
 */
async function runAndAsk(isHere) {
  const { asked } = editor.asWritten();
  const { diagnostics, colours } = await python.ask("check", asked);
  if (!isHere()) throw new Stopped("stopped");
  if (editor.text === asked.text) {
    editor.show({ diagnostics, colours });
    list(diagnostics);
  }
  const error = diagnostics.find((/** @type {Finding} */ { severity }) => severity === "error");
  if (error) return `Line ${error.line}: ${error.message}.`;

  const found = await python.ask("run", { ...asked, call: calls.hidden ? "" : call.value });
  if (!isHere()) throw new Stopped("stopped");
  output.replaceChildren(...briefResultOf(found, editor));
  output.classList.remove("stale");
  if (found.fault && !found.finished) return `The run fails: ${found.fault}.`;
  return ask(asked);
}

find("#key").textContent = isMac ? "⌘ Enter" : "Ctrl Enter";
for (const key of find("#turn").querySelectorAll("kbd")) key.textContent = `${isMac ? "⌥" : "Alt"} ${key.dataset.key}`;
find(".plan").open = false;
for (const part of [desk, find("#turn"), find("#forgetting")]) part.hidden = false;
show(false);
