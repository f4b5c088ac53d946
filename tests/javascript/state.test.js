/** What a page shows, and how its address and the browser keep it, without a browser. */

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import test from "node:test";
import { createDeflateRaw } from "node:zlib";

import { Tab } from "./tab.js";

const { EMPTY, Kept, MOST_IN_ADDRESS, MOST_IN_PROGRAM, fromAddress, readingOf, toAddress } = await import(
  process.env.STATE ?? ""
);

const PROGRAM = Array.from({ length: 60 }, (_, index) => `F${index}(x) = ${index * 7919}x || für Ü und σ\n`).join("");

test("an address brings back all of a state", async () => {
  const states = [
    { example: "strachey.cpl", call: "F(1)", pane: "types" },
    { example: "", text: PROGRAM, reading: readingOf("and=tight,nil=zero").name, call: "" },
    { example: "strachey.cpl", text: "" },
    { game: "checkers", fen: "B:W18,25:B14", moves: ["14x23", "25-22"], at: 1, first: "hard", second: "me" },
    { paused: true },
  ];
  for (const changes of states) {
    const state = { ...EMPTY, ...changes };
    assert.deepEqual(await fromAddress(await toAddress(state, EMPTY), EMPTY), { state, problems: [] });
  }
  assert.equal(await toAddress(EMPTY, EMPTY), "");
});

test("an address that was cut says so, and gives what could be read", async () => {
  const address = await toAddress({ ...EMPTY, text: PROGRAM }, EMPTY);
  for (const cut of [1, 2, 3, 40, 200]) {
    const { state, problems } = await fromAddress(address.slice(0, -cut), EMPTY);
    assert.match(problems[0], /ends in the middle/);
    assert.ok(PROGRAM.startsWith(state.text.slice(0, -2)));
    assert.ok(state.text.length > PROGRAM.length / 3);
  }
  const { state, problems } = await fromAddress("#z=%%%", EMPTY);
  assert.equal(state.text, null);
  assert.match(problems[0], /cannot be read/);
});

/** The address of so many letters; they are made and compressed in pieces. */
const bomb = async (length) => {
  const million = Buffer.alloc(1_000_000, "x");
  const pieces = function* () {
    for (let left = length; left > 0; left -= million.length) yield million.subarray(0, left);
  };
  const bytes = await buffer(Readable.from(pieces()).pipe(createDeflateRaw({ level: 9 })));
  return `#z=${bytes.toString("base64url")}`;
};

test("a program in an address has no more characters than the compiler reads", async () => {
  for (const [length, isRead] of [
    [MOST_IN_PROGRAM, true],
    [MOST_IN_PROGRAM + 1, false],
    [20_000_000, false],
  ]) {
    const { state, problems } = await fromAddress(await bomb(length), EMPTY);
    assert.equal(state.text?.length ?? 0, isRead ? length : 0);
    assert.deepEqual(
      problems,
      isRead ? [] : ["The program in it has more than 2,000,000 characters, which is too long."],
    );
  }
});

test("a program that unfolds to gigabytes takes little memory", async () => {
  const address = await bomb(700_000_000);
  const before = process.memoryUsage().rss;
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 1);
  const { problems } = await fromAddress(address, EMPTY);
  clearInterval(watch);
  assert.match(problems[0], /too long/);
  assert.ok(most - before < 200_000_000, `${most - before} bytes`);
});

test("an address that is too long is not read, and one with too many moves in part", async () => {
  const long = await fromAddress(`#text=${"x".repeat(MOST_IN_ADDRESS)}`, EMPTY);
  assert.deepEqual(long.state, EMPTY);
  assert.deepEqual(long.problems, ["It has 1,000,006 characters, and at most 1,000,000 are read."]);
  const moves = await fromAddress(`#moves=${"11-15+".repeat(3_000)}`, EMPTY);
  assert.equal(moves.state.moves.length, 2_000);
  assert.match(moves.problems[0], /^It has 3,000 moves/);
});

test("a program that is too long for an address is told so, and the address stays", async () => {
  const tab = new Tab("#example=strachey.cpl");
  const page = new Kept(EMPTY, () => {}, tab);
  await page.restore();
  const signs = Array.from({ length: 1_500_000 }, () => String.fromCharCode(33 + 90 * Math.random())).join("");
  page.replace({ text: signs });
  assert.equal(await page.address(), null);
  assert.equal(tab.location.hash, "#example=strachey.cpl");
});

test("what came with the address is known from what the tab has stored", async () => {
  const tab = new Tab("#text=F(x)+=+x");
  const page = new Kept(EMPTY, () => {}, tab);
  await page.restore();
  assert.equal(page.isLinked, true);
  page.replace({ text: "F(x) = 2x" });
  const again = new Kept(EMPTY, () => {}, tab);
  await again.restore();
  assert.equal(again.isLinked, false);
});

test("what an address asks for in vain is told, and the usual is shown", async () => {
  const { state, problems } = await fromAddress("#reading=and=purple&pane=attic&at=-7&moves=11-15", EMPTY);
  assert.equal(problems.length, 2);
  assert.deepEqual([state.reading, state.pane, state.at], ["set", "python", 0]);
});

test("names of JavaScript's own are no readings", () => {
  for (const name of ["constructor", "__proto__", "toString=x", "__proto__=x"]) assert.equal(readingOf(name), null);
});

test("addresses of before are understood", async () => {
  const { state } = await fromAddress("#example=strachey.cpl&reading=arithmetic&call=F(1)", EMPTY);
  assert.equal(state.reading, "and=tight,plusminus=arithmetic,nil=zero,shift=down");
  assert.equal((await fromAddress("#text=F(x)+=+x", EMPTY)).state.text, "F(x) = x");
});

test("a reload, back and forward keep everything", async () => {
  const tab = new Tab();
  /** @type {string[]} */
  const shown = [];
  const page = new Kept(EMPTY, () => shown.push(page.state.example), tab);
  await page.restore();
  page.replace({ text: "F(x) = x", call: "F(2)" });
  page.open({ example: "strachey.cpl", text: null });
  page.replace({ text: PROGRAM });
  const again = new Kept(EMPTY, () => {}, tab);
  assert.deepEqual(await again.restore(), []);
  assert.deepEqual([again.state.text, again.state.example], [PROGRAM, "strachey.cpl"]);
  await tab.go(-1);
  assert.deepEqual([page.state.text, page.state.call], ["F(x) = x", "F(2)"]);
  await tab.go(1);
  assert.equal(page.state.text, PROGRAM);
  assert.deepEqual(shown, ["", "strachey.cpl"]);
});

test("a full storage keeps what is shown last", async () => {
  const tab = new Tab();
  const page = new Kept(EMPTY, () => {}, tab);
  await page.restore();
  for (let count = 0; count < 30; count++) page.open({ text: `${count}${PROGRAM}` });
  const again = new Kept(EMPTY, () => {}, tab);
  await again.restore();
  assert.equal(again.state.text, `29${PROGRAM}`);
});

test("what is typed stays in the address, which another window can open", async () => {
  const tab = new Tab("#example=strachey.cpl");
  const page = new Kept(EMPTY, () => {}, tab);
  await page.restore();
  page.replace({ text: "F(x) = x" });
  const address = await page.address();
  const other = new Kept(EMPTY, () => {}, new Tab(address.replace(/[^#]*/, "")));
  await other.restore();
  assert.deepEqual(other.state, page.state);
});
