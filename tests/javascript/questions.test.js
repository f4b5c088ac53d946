/** Which questions a page puts to Python, which it forgets, and when it starts Python anew, without a browser. */

import assert from "node:assert/strict";
import test from "node:test";

import { Pretence } from "./pretence.js";

const { Outdated, Questions, Refused, Stopped } = await import(process.env.QUESTIONS ?? "");

const NEVER = () => false;

class Page extends Pretence {
  constructor() {
    super();
    this.states = [];
    this.python = new Questions(
      () => this.newWorker(({ number, request }) => ({ number, ...JSON.parse(request) })),
      (state) => this.states.push(state),
      this.clock,
    );
  }

  /** What the worker that there is now was asked. */
  get asked() {
    return this.worker.asked.map(({ ask, text }) => (text === undefined ? ask : `${ask} ${text}`));
  }

  say(data) {
    this.worker.onmessage({ data });
  }

  /** Python is ready, after so many milliseconds. */
  start(after = 500) {
    this.pass(after);
    this.say({ ready: true });
  }

  /** The worker answers what it was asked last, after so many milliseconds. */
  answer(after = 0, answer = "fine") {
    this.pass(after);
    this.say({ number: this.worker.asked.at(-1).number, answer });
  }
}

/** A text that one writes: what is asked about an older version is not wanted. */
class Writing {
  constructor(page) {
    this.page = page;
    this.text = 0;
  }

  type() {
    this.text++;
  }

  ask(name = "check") {
    const { text } = this;
    const answer = this.page.python.ask(name, { text }, () => text === this.text);
    answer.catch(() => {});
    return answer;
  }
}

test("questions wait for the start, then each for the one before", async () => {
  const page = new Page();
  const [first, second] = [page.python.ask("run", { text: 1 }), page.python.ask("steps", { text: 2 })];
  assert.deepEqual([page.asked, page.python.state], [[], "loading"]);
  page.start();
  assert.deepEqual([page.asked, page.python.state], [["run 1"], "busy"]);
  page.answer(0, "one");
  assert.deepEqual(page.asked, ["run 1", "steps 2"]);
  page.answer(0, "two");
  assert.deepEqual([await first, await second, page.python.state], ["one", "two", "ready"]);
});

test("a question that cannot be answered is refused with the words for it", async () => {
  const page = new Page();
  page.start();
  const answer = page.python.ask("run", {});
  page.say({ number: page.worker.asked[0].number, error: "no such thing" });
  await assert.rejects(answer, (error) => error instanceof Refused && error.message === "no such thing");
});

test("of the texts that are typed while Python works, only the last is compiled", async () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  const answers = [writing.ask()];
  for (let count = 0; count < 5; count++) {
    writing.type();
    answers.push(writing.ask());
  }
  page.answer(300);
  assert.deepEqual(page.asked, ["check 0", "check 5"]);
  for (const forgotten of answers.slice(1, -1)) await assert.rejects(forgotten, Outdated);
  page.answer();
  assert.equal(await answers[5], "fine");
});

test("the Python of a text that was changed meanwhile is not begun", async () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  writing.ask("check");
  const compiled = writing.ask("python");
  writing.type();
  page.answer();
  assert.deepEqual([page.asked, page.python.state], [["check 0"], "ready"]);
  await assert.rejects(compiled, Outdated);
});

test("an older text stands in the way for two seconds, then Python starts anew and takes the newest", async () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  const older = writing.ask("python");
  page.pass(60_000); // nobody waits for anything else
  assert.equal(page.workers.length, 1);
  writing.type();
  writing.ask();
  page.pass(1_999);
  writing.type();
  const newest = writing.ask();
  assert.equal(page.workers.length, 1);
  page.pass(1);
  assert.equal(page.workers.length, 2);
  assert.ok(page.workers[0].isEnded);
  await assert.rejects(older, Outdated);
  page.start();
  assert.deepEqual(page.asked, ["check 2"]);
  page.answer();
  assert.equal(await newest, "fine");
});

test("what somebody has asked for, and what is wanted again, is not given up", async () => {
  for (const isRun of [true, false]) {
    const page = new Page();
    const writing = new Writing(page);
    page.start();
    const older = isRun ? page.python.ask("run", {}) : writing.ask("python");
    writing.type();
    writing.ask();
    page.pass(1_000);
    if (!isRun) writing.text = 0;
    page.pass(60_000);
    assert.equal(page.workers.length, 1);
    page.say({ number: page.worker.asked[0].number, answer: "done" });
    assert.equal(await older, "done");
  }
});

test("a question that has more of Python loaded is not given up, as that would be loaded again", () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  writing.ask("python");
  page.say({ more: true });
  writing.type();
  writing.ask("check");
  page.pass(60_000);
  assert.equal(page.workers.length, 1);
  page.answer();
  assert.deepEqual(page.asked, ["python 0", "check 1"]);
  writing.type();
  writing.ask("check");
  page.pass(2_000);
  assert.equal(page.workers.length, 2);
});

test("a new question does not inherit the time that the one before had", () => {
  const page = new Page();
  page.start();
  page.python.ask("python", {}, NEVER).catch(() => {});
  assert.deepEqual(page.asked, []); // never wanted, never asked
  const writing = new Writing(page);
  writing.ask("check");
  writing.type();
  writing.ask("check");
  page.answer(1_900);
  writing.type();
  writing.ask("check");
  page.pass(1_900);
  assert.equal(page.workers.length, 1);
  page.pass(100);
  assert.equal(page.workers.length, 2);
});

test("where a start takes long, an older text is given up later, until the memory is stored", () => {
  for (const isStored of [false, true]) {
    const page = new Page();
    const writing = new Writing(page);
    page.start(8_000);
    if (isStored) page.say({ remembered: true });
    writing.ask();
    writing.type();
    writing.ask();
    page.pass(isStored ? 1_999 : 15_999);
    assert.equal(page.workers.length, 1);
    page.pass(1);
    assert.equal(page.workers.length, 2);
  }
});

test("Stop ends any kind of work, and what somebody has asked for and waits", async () => {
  for (const name of ["check", "python", "stage", "run", "steps", "standalone", "choose"]) {
    const page = new Page();
    page.start();
    const ended = [page.python.ask(name, {}), page.python.ask("run", {})];
    assert.equal(page.python.stop(), false);
    for (const answer of ended) await assert.rejects(answer, (error) => error instanceof Stopped);
    assert.deepEqual([page.workers.length, page.workers[0].isEnded, page.python.state], [2, true, "loading"]);
    page.start();
    assert.deepEqual([page.asked, page.python.state], [[], "ready"]);
  }
});

test("a text that waited for a run is compiled when the run is stopped; one that is stopped itself is not", async () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  page.python.ask("run", {}).catch(() => {});
  writing.ask();
  assert.equal(page.python.stop(), false);
  page.start();
  assert.deepEqual(page.asked, ["check 0"]);
  writing.ask("stage");
  assert.equal(page.python.stop(), true);
  page.start();
  assert.deepEqual([page.asked, page.python.state], [[], "ready"]);
});

test("Stop while Python starts lets it start, and forgets a run", async () => {
  const page = new Page();
  const writing = new Writing(page);
  const run = page.python.ask("run", {});
  writing.ask();
  page.python.stop();
  await assert.rejects(run, Stopped);
  assert.equal(page.workers.length, 1);
  page.start();
  assert.deepEqual(page.asked, ["check 0"]);
});

test("a worker that dies of a question is replaced, and what waited is asked", async () => {
  const page = new Page();
  page.start();
  const deep = page.python.ask("run", { text: 1 });
  page.python.ask("run", { text: 2 });
  page.say({ dead: "Too deep." });
  await assert.rejects(deep, { message: "Too deep. Python is starting again." });
  page.start();
  assert.deepEqual(page.asked, ["run 2"]);
});

test("if Python cannot start, all is refused with the reason", async () => {
  for (const [dead, told] of [
    ["first.bin did not come: is there a net?", /loaded: first.bin did not come: is there a net\? Reload the page/],
    ["the server does not give first.bin", /loaded: the server does not give first.bin\. Reload the page/],
  ]) {
    const page = new Page();
    const early = page.python.ask("run", {});
    page.say({ dead });
    await assert.rejects(early, (error) => error instanceof Refused && told.test(error.message));
    await assert.rejects(page.python.ask("run", {}), { message: told });
    assert.equal(page.python.state, "failed");
  }
});

test("a worker whose script does not load is told as a start that failed", async () => {
  const page = new Page();
  page.worker.onerror({});
  await assert.rejects(page.python.ask("run", {}), { message: /worker\.js.* Reload the page/ });
  assert.equal(page.python.state, "failed");
});

test("a text rests the longer, the longer the last one took to be compiled", () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  const pauses = [page.python.pause];
  for (const [check, python] of [
    [60, 90],
    [700, 800],
    [20_000, 30_000],
    [60, 90],
  ]) {
    writing.ask("check");
    page.answer(check);
    writing.ask("python");
    page.answer(python);
    pauses.push(page.python.pause);
  }
  assert.deepEqual(pauses, [120, 120, 500, 1_500, 120]);
});

test("a text that was given up counts as long as it was at work", () => {
  const page = new Page();
  const writing = new Writing(page);
  page.start();
  writing.ask("check");
  page.pass(1_000);
  writing.type();
  writing.ask("check");
  page.pass(2_000);
  assert.equal(page.python.pause, 1_000);
});
