/** What is kept of answers to lessons, without a browser. */

import assert from "node:assert/strict";
import test from "node:test";

const { Progress } = await import(process.env.PROGRESS ?? "");
const { storageOf } = await import((process.env.PROGRESS ?? "").replace(/progress\.js$/, "storage.js"));

/** A storage with a size. */
class Room {
  constructor(size = Infinity) {
    this.size = size;
    /** @type {Map<string, string>} */
    this.kept = new Map();
  }

  getItem(/** @type {string} */ name) {
    return this.kept.get(name) ?? null;
  }

  setItem(/** @type {string} */ name, /** @type {string} */ text) {
    if (text.length > this.size) throw new Error("QuotaExceededError");
    this.kept.set(name, text);
  }

  removeItem(/** @type {string} */ name) {
    this.kept.delete(name);
  }
}

test("answers come back with the next page, lesson by lesson", () => {
  const room = new Room();
  const first = new Progress(room);
  first.change("cube", { text: "Cube(x) = 3x" });
  first.change("cube", { isDone: true });
  first.change("class-2", { fields: { X: "11" } });
  const second = new Progress(room);
  assert.deepEqual(second.of("cube"), { text: "Cube(x) = 3x", isDone: true });
  assert.deepEqual(second.of("class-2"), { fields: { X: "11" } });
  assert.deepEqual(second.of("table"), {});
  second.forget();
  assert.deepEqual(new Progress(room).of("cube"), {});
});

test("two tabs do not undo each other's answers", () => {
  const room = new Room();
  const [one, other] = [new Progress(room), new Progress(room)];
  one.change("cube", { isDone: true });
  other.change("table", { isDone: true });
  assert.deepEqual(new Progress(room).of("cube"), { isDone: true });
  assert.deepEqual(new Progress(room).of("table"), { isDone: true });
});

test("answers stay for as long as the page is open where there is no room, no storage, or something else in it", () => {
  const odd = new Room();
  odd.setItem("cplc lessons", "{not JSON");
  for (const storage of [new Room(0), new Room(30), null, odd]) {
    const progress = new Progress(storage);
    progress.change("cube", {});
    progress.change("cube", { isDone: true });
    progress.change("table", {});
    assert.deepEqual(progress.of("cube"), { isDone: true });
  }
});

test("a browser may forbid its storage", () => {
  const browser = {
    get localStorage() {
      throw new Error("SecurityError");
    },
  };
  assert.equal(storageOf(browser), null);
});
