import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { endWithin } from "./stop.ts";

it("Names the parts that hang and those that fail, and does not wait for them", async () => {
  const late = await endWithin(0.2, {
    requests: async () => {},
    jobs: () => new Promise(() => {}),
    mail: async () => {
      throw new Error("the pool is gone");
    },
  });
  expect(late).toEqual(["jobs (no end after 0.2 s)", "mail (the pool is gone)"]);
});

it("Waits for what ends in time", async () => {
  let ended = false;
  const late = await endWithin(10, { documents: () => sleep(50).then(() => (ended = true)) });
  expect([late, ended]).toEqual([[], true]);
});
