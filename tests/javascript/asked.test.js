/** What a page asks the worker of games, and when it replaces the worker, without a browser. */

import assert from "node:assert/strict";
import test from "node:test";

import { Pretence } from "./pretence.js";

const { Asked, Failed, GaveUp, NotHere } = await import(process.env.ASKED ?? "");

class Page extends Pretence {
  constructor() {
    super();
    this.isBusy = false;
    this.games = new Asked(
      () => this.newWorker(),
      (isBusy) => (this.isBusy = isBusy),
      this.clock,
    );
  }

  /** What the worker that there is now was asked. */
  get asked() {
    return this.worker.asked.map(({ ask }) => ask);
  }

  /** The worker that there is now says something about a question. */
  say(number, data) {
    this.worker.onmessage({ data: { number, ...data } });
  }
}

test("what an analysis finds is reported, and a question after it is answered by the same worker", async () => {
  const page = new Page();
  const found = [];
  const analysis = page.games.ask("analyse", {}, (report) => found.push(report));
  page.say(1, { report: "one" });
  page.pass(60_000); // nobody asks for anything else
  const state = page.games.ask("state", {});
  page.say(1, { report: "two" });
  page.say(1, { answer: null });
  page.pass(60_000);
  page.say(2, { answer: "fine" });
  assert.deepEqual([await analysis, await state, found], [null, "fine", ["one", "two"]]);
  assert.deepEqual([page.workers.length, page.asked], [1, ["analyse", "state"]]);
});

test("a question waits for an analysis that does not end for 0.6 seconds, and another worker answers it", async () => {
  const page = new Page();
  const analysis = page.games.ask("analyse", {});
  page.pass(30_000);
  const [state, hint] = [page.games.ask("state", {}), page.games.ask("choose", {})];
  page.pass(599);
  assert.equal(page.workers.length, 1);
  page.pass(1);
  assert.deepEqual([page.workers.length, page.workers[0].isEnded], [2, true]);
  assert.deepEqual(page.asked, ["state", "choose"]);
  assert.equal(await analysis, null);
  page.say(2, { answer: "fine" });
  page.pass(60_000); // one may think as long as one was told to
  page.say(3, { answer: "11-15" });
  assert.deepEqual([await state, await hint, page.workers.length], ["fine", "11-15", 2]);
});

test("an analysis that takes the place of another one goes on in the other worker", () => {
  const page = new Page();
  page.games.ask("analyse", { at: 1 });
  page.games.endAnalysis();
  page.games.ask("analyse", { at: 2 });
  page.pass(600);
  assert.deepEqual(page.asked, ["analyse"]);
  page.pass(60_000);
  assert.equal(page.workers.length, 2);
});

test("Stop ends all, in the same worker if that ends in time", async () => {
  for (const isInTime of [true, false]) {
    const page = new Page();
    const [choice, why] = [page.games.ask("choose", {}), page.games.ask("why", {})];
    assert.equal(page.isBusy, true);
    page.games.stop();
    for (const answer of [choice, why]) await assert.rejects(answer, { message: "Stopped." });
    assert.equal(page.isBusy, false);
    const state = page.games.ask("state", {});
    if (isInTime) for (const number of [1, 2]) page.say(number, { answer: "11-15" });
    page.pass(600);
    assert.deepEqual(page.asked, isInTime ? ["choose", "why", "stop", "state"] : ["state"]);
    page.say(3, { answer: "fine" });
    assert.equal(await state, "fine");
  }
});

test("each way in which there is no answer is told apart", async () => {
  const page = new Page();
  const ways = [
    [{ isNotHere: true }, NotHere],
    [{ gaveUp: "too deep" }, GaveUp],
    [{ failed: "no net" }, Failed],
  ];
  for (const [data, kind] of ways) {
    const answer = page.games.ask("analyse", {});
    page.say(page.games.count, data);
    await assert.rejects(answer, (error) => error.constructor === kind);
  }
  await assert.rejects(page.games.ask("write", {}), NotHere);
});

test("after the worker has died, nothing runs and nothing is asked", async () => {
  const page = new Page();
  const stopped = page.games.ask("choose", {});
  page.games.stop();
  const waiting = page.games.ask("state", {});
  page.workers[0].onerror();
  await assert.rejects(stopped);
  await assert.rejects(waiting, Failed);
  await assert.rejects(page.games.ask("state", {}), NotHere);
  page.pass(60_000);
  assert.equal(page.workers.length, 1);
});
