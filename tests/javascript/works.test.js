/** What a visitor makes on a page, and how it stays when he leaves: by links, in other tabs, when a tab is closed. */

import assert from "node:assert/strict";
import test from "node:test";

import { Disk, Tab } from "./tab.js";

const { EMPTY, Kept, toAddress } = await import((process.env.WORKS ?? "").replace("works.js", "state.js"));
const { MOST_WORKS } = await import(process.env.WORKS ?? "");

/** A page as it is opened. */
async function opened(tab) {
  const page = new Kept(EMPTY, () => {}, tab);
  await page.restore();
  return page;
}

const textsOf = (page) => page.offered().map(({ state }) => state.text);

test("a text is offered in every new tab, and one goes on with it", async () => {
  const disk = new Disk();
  (await opened(new Tab("", disk))).replace({ text: "F(x) = x", call: "F(2)" });
  const page = await opened(new Tab("", disk));
  assert.equal(page.isOwn, false);
  const [work] = page.offered();
  page.takeUp(work);
  assert.deepEqual([page.state.text, page.state.call], ["F(x) = x", "F(2)"]);
  assert.deepEqual(page.offered(), []);
  disk.tabs.shift(); // which was closed
  page.replace({ text: "F(x) = 2x" });
  assert.deepEqual(textsOf(await opened(new Tab("", disk))), ["F(x) = 2x"]);
});

test("a game is offered, and each page has its own works", async () => {
  const disk = new Disk();
  (await opened(new Tab("", disk, "/site/play.html"))).replace({ moves: ["11-15"], at: 1 });
  assert.deepEqual((await opened(new Tab("", disk, "/site/playground.html"))).offered(), []);
  const [{ state }] = (await opened(new Tab("", disk, "/site/play.html"))).offered();
  assert.deepEqual(state.moves, ["11-15"]);
  (await opened(new Tab("", disk, "/site/"))).replace({ text: "F(x) = x" });
  assert.deepEqual(textsOf(await opened(new Tab("", disk, "/site/index.html"))), ["F(x) = x"]);
});

test("what came with a link is no work before it is changed", async () => {
  const disk = new Disk();
  const address = await toAddress({ ...EMPTY, text: "F(x) = x" }, EMPTY);
  const tab = new Tab(address, disk);
  const page = await opened(tab);
  page.replace({ pane: "types" });
  const again = await opened(tab);
  again.replace({ pane: "tokens" });
  assert.deepEqual(textsOf(await opened(new Tab("", disk))), []);
  again.replace({ text: "F(x) = 2x" });
  assert.deepEqual(textsOf(await opened(new Tab("", disk))), ["F(x) = 2x"]);
});

test("an example as it is packaged is no work, and an empty text does not replace the one before", async () => {
  const disk = new Disk();
  const page = await opened(new Tab("", disk));
  page.replace({ text: "F(x) = x" });
  page.replace({ text: "" });
  assert.deepEqual(textsOf(await opened(new Tab("", disk))), ["F(x) = x"]);
  page.replace({ text: null });
  assert.deepEqual(textsOf(await opened(new Tab("", disk))), []);
});

test("two tabs that go on with one work do not overwrite each other", async () => {
  const disk = new Disk();
  const one = await opened(new Tab("", disk));
  one.replace({ text: "F(x) = x" });
  const other = await opened(new Tab("", disk));
  other.takeUp(other.offered()[0]);
  one.replace({ text: "F(x) = 1" });
  other.replace({ text: "F(x) = 2" });
  one.replace({ text: "F(x) = 11" });
  assert.deepEqual(new Set(textsOf(await opened(new Tab("", disk)))), new Set(["F(x) = 11", "F(x) = 2"]));
});

test("a tab that is duplicated keeps its text although the other one changes it", async () => {
  const disk = new Disk();
  const tab = new Tab("", disk);
  const page = await opened(tab);
  page.replace({ text: "F(x) = x" });
  const other = await opened(tab.duplicated(disk));
  assert.equal(other.state.text, "F(x) = x");
  other.replace({ text: "something else" });
  assert.deepEqual(new Set(textsOf(await opened(new Tab("", disk)))), new Set(["F(x) = x", "something else"]));
  const again = await opened(tab);
  assert.equal(again.state.text, "F(x) = x");
});

test("the newest works are kept", async () => {
  const disk = new Disk();
  const page = await opened(new Tab("", disk));
  const { now } = Date;
  try {
    for (let count = 0; count < MOST_WORKS + 5; count++) {
      Date.now = () => count;
      page.open({ text: `F(x) = ${count}` });
    }
  } finally {
    Date.now = now;
  }
  const texts = textsOf(await opened(new Tab("", disk)));
  assert.equal(texts.length, MOST_WORKS);
  assert.deepEqual([texts[0], texts.at(-1)], [`F(x) = ${MOST_WORKS + 4}`, "F(x) = 5"]);
});

test("if nothing more can be kept, it is said once, and what is kept stays", async () => {
  const forbidden = new Tab();
  Object.defineProperty(forbidden, "localStorage", {
    get() {
      throw new Error("it is forbidden");
    },
  });
  const disk = new Disk(1_000);
  (await opened(new Tab("", disk))).replace({ text: "F(x) = x" });
  for (const tab of [forbidden, new Tab("", disk)]) {
    const page = await opened(tab);
    let count = 0;
    page.unkept = () => count++;
    page.replace({ pane: "types" });
    assert.equal(count, 0);
    for (let length = 1_000; length < 1_005; length++) page.replace({ text: "x".repeat(length) });
    assert.equal(count, 1);
    assert.deepEqual(textsOf(page), tab === forbidden ? [] : ["F(x) = x"]);
  }
});

test("what is forgotten is gone on all pages of the site, and others stay", async () => {
  const disk = new Disk();
  disk.stored.set("cplc work /other/page.html 1", "of another site");
  const tab = new Tab("", disk);
  (await opened(new Tab("", disk, "/site/play.html"))).replace({ moves: ["11-15"] });
  const page = await opened(tab);
  page.replace({ text: "F(x) = x" });
  page.forget();
  assert.deepEqual([...disk.stored.values()], ["of another site"]);
  assert.equal((await opened(tab)).state.text, null);
});

test("what others have written among the works is passed over", async () => {
  const disk = new Disk();
  for (const text of ["{", "null", '{"state": {"moves": 1}}'])
    disk.stored.set(`cplc work /site/page.html ${text}`, text);
  assert.deepEqual((await opened(new Tab("", disk))).offered(), []);
});
