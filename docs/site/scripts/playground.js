/** The playground: a text of one's own or an example, its Python, its problems, calls, stages, steps. */

import { StepView } from "../../../cpl/views/static/step_view.js";
import { Beside } from "./parts/beside.js";
import { find, given, make } from "./parts/elements.js";
import { Refused, Stopped, newest, pythonOf } from "./parts/python.js";
import { fromAddress, toAddress } from "./parts/sharing.js";

const { examples, first } = given();
const [example, call, tabs, panel, output, stop, share] = ["example", "call", "tabs", "panel", "output", "stop", "share"].map(
  (id) => find(`#${id}`),
);
const switches = [...document.querySelectorAll("#reading select")];
let name = first.name;

const python = pythonOf((state) => {
  stop.disabled = state !== "busy" || !running;
});
let running = false;
let tab = "python";

/** The reading as cpl names it, the usual one as `set`. */
const reading = () => {
  const chosen = switches.map((each) => `${each.name}=${each.value}`).join(",");
  return chosen === "and=loose,plusminus=set,nil=list,shift=down" ? "set" : chosen;
};
const program = () => ({ name, reading: reading() });

const page = new Beside({
  editor: find("#editor"),
  target: find("#python"),
  problems: find("#problems"),
  text: first.text,
  python,
  program,
  typed: (text) => {
    forget();
    leave(text);
  },
  compiled: () => showStage(),
});

/** A copied address or a result is about a text that is gone. */
function forget() {
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
}

/**
 * Once no line of an example is left, the text is one's own, and the example's call is not about it.
 * @param {string} text
 */
function leave(text) {
  const known = examples.find((each) => each.name === name);
  const lines = new Set(text.split("\n").filter((line) => line.trim()));
  if (!known || known.text.split("\n").some((line) => lines.has(line))) return;
  name = example.value = "";
  if (call.value === known.call) call.value = "";
}

// What the page shows at first

for (const { name: each, title } of examples) example.append(make("option", { value: each }, [title]));
example.append(make("option", { value: "" }, ["A text of your own"]));

function open(found) {
  name = found.name;
  example.value = examples.some((each) => each.name === name) ? name : "";
  call.value = found.call ?? "";
  page.editor.text = found.text;
  output.replaceChildren();
}

async function fromLink() {
  const asked = await fromAddress(location.hash);
  if (!asked) return false;
  const known = examples.find((each) => each.name === asked.example);
  const text = asked.text ?? known?.text;
  if (text === undefined) return false;
  for (const [key, value] of asked.reading) {
    const found = switches.find((each) => each.name === key);
    if (found && [...found.options].some((each) => each.value === value)) found.value = value;
  }
  const hash = location.hash;
  open({ name: known?.name ?? "", text, call: asked.call ?? (asked.text === undefined ? known?.call : "") });
  history.replaceState(null, "", hash);
  return true;
}

addEventListener("hashchange", () => fromLink());
if (!(await fromLink())) {
  page.show(first);
  example.value = first.name;
  call.value = first.call;
}
page.refresh();

example.addEventListener("change", () => {
  open(examples.find((each) => each.name === example.value) ?? { name: "", text: "", call: "" });
});
for (const each of switches) {
  each.addEventListener("change", () => {
    forget();
    find("#changes").hidden = reading() === "set";
    page.refresh();
  });
}
find("#changes").hidden = reading() === "set";

// Stages

const showStage = newest(async () => {
  const text = page.editor.text;
  const box = find("#stage");
  if (tab === "python") return;
  if (tab === "trace") {
    await steps(box);
    return;
  }
  try {
    box.replaceChildren(make("pre", { tabindex: "0" }, [await python.ask("stage", { ...program(), text, which: tab })]));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    box.replaceChildren(make("pre", { tabindex: "0" }, [error.message]));
  }
});

/** @param {string} chosen */
function choose(chosen) {
  tab = chosen;
  for (const each of tabs.children) {
    const isChosen = each.value === tab;
    each.setAttribute("aria-selected", String(isChosen));
    each.tabIndex = isChosen ? 0 : -1;
    if (isChosen) panel.setAttribute("aria-labelledby", each.id);
  }
  find("#python").hidden = tab !== "python";
  find("#stage").hidden = tab === "python";
  if (tab !== "python") find("#stage").replaceChildren(make("p", { class: "note" }, ["…"]));
  showStage();
}
tabs.addEventListener("click", ({ target }) => target.value && choose(target.value));
tabs.addEventListener("keydown", (event) => {
  const all = [...tabs.children];
  const at = all.indexOf(document.activeElement);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1 }[event.key];
  if (to === undefined) return;
  const next = all[(to + all.length) % all.length];
  next.focus();
  choose(next.value);
  event.preventDefault();
});

// Calls

async function watched(work) {
  running = true;
  stop.disabled = false;
  try {
    await work();
  } catch (error) {
    if (error instanceof Stopped) {
      const why = error.message === "stopped" ? "Stopped. Python is starting again." : error.message;
      output.replaceChildren(make("p", { class: "fault" }, [why]));
    } else if (error instanceof Refused) {
      output.replaceChildren(make("pre", { class: "fault", tabindex: "0" }, [error.message]));
    } else throw error;
  } finally {
    running = false;
    stop.disabled = true;
  }
}

async function run() {
  output.replaceChildren(make("p", { class: "note" }, [python.isReady ? "Running…" : "Python is loading…"]));
  await watched(async () => {
    const found = await python.ask("run", { ...program(), text: page.editor.text, call: call.value });
    const parts = [];
    if (found.written) parts.push(make("h3", {}, ["Written"]), make("pre", { tabindex: "0" }, [found.written]));
    for (const value of found.values) {
      parts.push(make("h3", {}, ["Value"]), make("pre", { class: "value", tabindex: "0" }, [value]));
    }
    if (found.boards.length) {
      const boards = make("div", { class: "boards" });
      boards.innerHTML = found.boards.join("");
      parts.push(boards);
    }
    if (found.fault) {
      parts.push(make("pre", { class: "fault", tabindex: "0" }, [[found.fault, ...found.places].join("\n  ")]));
    }
    if (!parts.length) parts.push(make("p", { class: "note" }, ["The program ran, and wrote nothing."]));
    output.replaceChildren(...parts);
  });
}

async function steps(box) {
  if (!call.value.trim()) {
    box.replaceChildren(make("p", { class: "note" }, ["Write a call below: each of its steps is shown here."]));
    return;
  }
  box.replaceChildren(make("p", { class: "note" }, ["Recording…"]));
  await watched(async () => {
    try {
      box.innerHTML = await python.ask("steps", { ...program(), text: page.editor.text, call: call.value });
      new StepView(box.querySelector(".cpl-steps"));
    } catch (error) {
      box.replaceChildren(make("p", { class: "note" }, ["There are no steps to show."]));
      throw error;
    }
  });
}

find("#run").addEventListener("submit", (event) => {
  event.preventDefault();
  run();
});
find("#steps").addEventListener("click", () => {
  choose("trace");
  find("#panel").scrollIntoView({ block: "nearest" });
});
stop.addEventListener("click", () => {
  python.stop();
  page.refresh();
});

// Sharing

share.addEventListener("click", async () => {
  const packaged = examples.find((each) => each.name === name);
  const isAsPackaged = packaged?.text === page.editor.text;
  const hash = await toAddress({
    example: name,
    text: isAsPackaged ? undefined : page.editor.text,
    call: call.value,
    reading: reading(),
  });
  history.replaceState(null, "", hash);
  const said = find("#shared");
  try {
    await navigator.clipboard.writeText(location.href);
    said.textContent = "The link is copied.";
  } catch {
    said.textContent = "The address bar holds the link.";
  }
});

find("#download").addEventListener("click", async () => {
  await watched(async () => {
    const text = await python.ask("standalone", { ...program(), text: page.editor.text });
    const stem = (name || "program").replace(/^.*\//, "").replace(/\.cpl$/, "").replaceAll(/\W/g, "_");
    const address = URL.createObjectURL(new Blob([text], { type: "text/x-python" }));
    make("a", { href: address, download: `${stem}.py` }).click();
    URL.revokeObjectURL(address);
  });
});
