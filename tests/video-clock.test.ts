import { expect, test } from "vitest";
import { videoClock } from "../scripts/video-clock.ts";

test("The demo video's time leaves out what takes longer than it should, and goes evenly through what stays", () => {
  let now = 1_000_000;
  const clock = videoClock(() => now);
  clock.read();
  now += 400;
  expect(clock.read()).toBeCloseTo(0.4);
  now += 4000;
  expect(clock.read(2)).toBeCloseTo(2.4);
  expect(clock.length()).toBeCloseTo(2.4);
  const shown = [999, 1000.2, 1000.4, 1002.4, 1004.4, 1010].map((seconds) => clock.shownAt(seconds));
  for (const [index, expected] of [0, 0.2, 0.4, 1.4, 2.4, 2.4].entries()) expect(shown[index]).toBeCloseTo(expected);
});
