/** What happens while one types CPL in a page, without a browser: `given` is what Python says of it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const { indentationAfter, keyName, signsOf, spelled } = await import(process.env.TYPING ?? "");
const given = JSON.parse(readFileSync(process.env.GIVEN ?? "", "utf8"));

test("a spelling may become the signs and letters that Python offers", () => {
  assert(given.spelt.length > 100);
  for (const [before, offers] of given.spelt) {
    const found = spelled(given.spellings, before);
    const texts = found ? found.offers.map(({ text }) => [found.typed, text]) : [];
    assert.deepEqual(texts, offers, before);
  }
});

test("a name that is whole comes first", () => {
  const first = (/** @type {string} */ before) => spelled(given.spellings, before).offers[0].text;
  const names = ["to", "le", "ne", "and", "or", "not", "sec", "infty", "up", "down", "lambda", "sigma", "S", "Sigma"];
  const signs = names.map((name) => first(`x \\${name}`));
  assert.deepEqual(signs, ["→", "≤", "≠", "∧", "∨", "~", "§", "∞", "↑", "↓", "λ", "σ", "§", "Σ"]);
});

test("each sign that no keyboard has stands once in the row, with all that can be typed for it", () => {
  const signs = signsOf(given.spellings);
  const texts = signs.map(({ text }) => text);
  assert.equal(new Set(texts).size, texts.length);
  for (const sign of "→≤≥≠≡≢≃∧∨×↑↓λ∞§") assert(texts.includes(sign), sign);
  for (const sign of "<>=~−σ") assert(!texts.includes(sign), sign);
  assert.deepEqual(signs.find(({ text }) => text === "≠").typed, ["~=", "\\ne", "\\neq"]);
  assert.deepEqual(signs.find(({ text }) => text === "→").typed, ["->", "\\to", "\\rightarrow"]);
});

test("the next line begins where cpl fmt has it", () => {
  for (const [line, column] of given.lines) assert.equal(indentationAfter(line, given.rules, 2), column, line);
});

test("after an open bracket the next line is indented", () => {
  assert.equal(indentationAfter("  F(x) = G(", given.rules, 2), 4);
  assert.equal(indentationAfter("  F(x) = G(x)", given.rules, 2), 2);
  assert.equal(indentationAfter("", given.rules, 2), 0);
});

test("keys are named as they are on the keyboard", () => {
  assert.equal(keyName("Mod-/", false), "Ctrl+/");
  assert.equal(keyName("Shift-Alt-f", false), "Shift+Alt+F");
  assert.equal(keyName("Mod-Enter", true), "⌘ Enter");
  assert.equal(keyName("Mod-[", true), "⌘ [");
});
