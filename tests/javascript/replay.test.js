/** Links between steps against a replay of all steps from the first: both must tell the same of every state. */

import assert from "node:assert/strict";
import { test } from "node:test";

const { CALL, FAULT, RETURN, Replay, SET, VALUE } = await import(process.env.REPLAY ?? "");

/** A run of random calls, changes and values; the same for the same seed. */
function randomTrace(seed, length) {
  const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
  const steps = { kind: [CALL], span: [-1], a: [0], b: [-1] };
  const add = (kind, a, b) => [steps.kind.push(kind), steps.span.push(0), steps.a.push(a), steps.b.push(b)];
  const open = [0];
  while (steps.kind.length < length && open.length) {
    const choice = random(10);
    if (choice < 3) add(CALL, open[open.push(random(3)) - 1], -1);
    else if (choice < 6 && open.length > 1) add(RETURN, open.pop(), random(50));
    else if (choice < 9) add(SET, random(4), random(50));
    else add(VALUE, -1, random(50));
  }
  add(FAULT, -1, 0);
  return { functions: ["F", "G", "H"], arities: [0, 0, 0], names: ["a", "b", "c", "d"], steps };
}

/** The states after all steps, one after the other. */
function* replayed({ functions, names, steps }) {
  const stack = [];
  for (const [step, kind] of steps.kind.entries()) {
    const [a, b] = [steps.a[step], steps.b[step]];
    if (kind === CALL) stack.push({ call: step, name: functions[a], variables: new Map() });
    if (kind === SET) stack.at(-1).variables.set(names[a], b);
    yield stack;
    if (kind === RETURN) stack.pop();
  }
}

for (const seed of [1, 2, 3, 4, 5, 6]) {
  test(`stack and variables after every step, run ${seed}`, () => {
    const trace = randomTrace(seed, 400);
    const replay = new Replay(trace);
    let step = 0;
    for (const stack of replayed(trace)) {
      assert.deepEqual(
        replay.stack(step),
        stack.map(({ call, name }) => ({ call, name })),
      );
      for (const { call, variables } of stack) {
        const found = replay.variables(step, call).map(({ name, value }) => [name, value]);
        assert.deepEqual(found, [...variables]);
      }
      step += 1;
    }
  });
}

test("a call takes its arguments at once", () => {
  const steps = { kind: [CALL, SET, SET, SET, VALUE, CALL], a: [0, 0, 1, 2, -1, 0], b: [-1, 7, 8, 9, 3, -1] };
  const replay = new Replay({ functions: ["F"], arities: [2], names: ["a", "b", "c"], steps });
  assert.deepEqual(replay.arguments(0), [
    { name: "a", value: 7 },
    { name: "b", value: 8 },
  ]);
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((step) => replay.next(step)),
    [3, 3, 3, 4, 5, 5],
  );
  assert.deepEqual(
    [5, 4, 3, 2, 1, 0].map((step) => replay.back(step)),
    [4, 3, 0, 0, 0, 0],
  );
});

test("over runs a call to its return, out leaves a call, and both end at a fault", () => {
  const kind = [CALL, SET, CALL, SET, CALL, RETURN, RETURN, VALUE, CALL, FAULT];
  const steps = { kind, span: kind.map(() => 0), a: [0, 0, 1, 0, 2, 2, 1, -1, 1, -1], b: kind.map(() => 0) };
  const replay = new Replay({ functions: ["F", "G", "H"], arities: [0, 1, 0], names: ["a"], steps });
  assert.deepEqual(
    [0, 1, 2, 3, 4, 6, 7, 8, 9].map((step) => replay.over(step)),
    [1, 6, 5, 5, 5, 7, 9, 9, 9],
  );
  assert.deepEqual(
    [3, 4, 5, 6, 8].map((step) => replay.out(step)),
    [6, 5, 6, 9, 9],
  );
  assert.deepEqual([replay.nextCall(0, 1), replay.nextCall(2, 1), replay.nextCall(8, 1)], [2, 8, -1]);
});
