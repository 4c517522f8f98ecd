import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { sharePlaces } from "./share-places.ts";

const never = new AbortController().signal;

/** Enters in the background and notes it. */
function visitors() {
  const places = sharePlaces(3, 1);
  const inside: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = async (name: string, isUrgent = false, signal = never) => {
    leave.set(name, await places.enter(isUrgent, signal));
    inside.push(name);
  };
  return { inside, enter, leave: (name: string) => leave.get(name)?.() };
}

it("The last places are for what is urgent, which also goes before others that wait", async () => {
  const { inside, enter, leave } = visitors();
  for (const name of ["one", "two", "three"]) void enter(name);
  await sleep(0);
  expect(inside).toEqual(["one", "two"]);
  void enter("urgent", true);
  void enter("urgent too", true);
  await sleep(0);
  expect(inside).toEqual(["one", "two", "urgent"]);
  leave("one");
  await sleep(0);
  expect(inside.at(-1)).toBe("urgent too");
  leave("two");
  leave("urgent");
  await sleep(0);
  expect(inside.at(-1)).toBe("three");
});

it("Whoever gives up waiting takes no place", async () => {
  const { inside, enter, leave } = visitors();
  for (const name of ["one", "two"]) void enter(name);
  const giving = new AbortController();
  const waiting = enter("three", false, giving.signal);
  void enter("four");
  giving.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  await expect(enter("five", true, giving.signal)).rejects.toThrow(/abort/);
  leave("one");
  await sleep(0);
  expect(inside).toEqual(["one", "two", "four"]);
});
