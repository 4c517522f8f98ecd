import { expect, test } from "vitest";
import { placesOf } from "./column.ts";

test("A column that stands below shares the track of the one before, and the last of a track takes the rest", () => {
  const { places, tracks, lines } = placesOf([{}, { below: true }, { below: true }, { numeric: true }, {}], 1);
  expect([tracks, lines]).toEqual([4, 3]);
  expect(places.map(({ track, line, isLast }) => [track, line, isLast])).toEqual([
    [2, 1, false],
    [2, 2, false],
    [2, 3, true],
    [3, 1, true],
    [4, 1, true],
  ]);
  expect(places.map(({ atEnd }) => atEnd)).toEqual([false, false, false, true, false]);
});

test("The first column has nothing to stand below", () => {
  expect(placesOf([{ below: true }, { below: true }], 0)).toMatchObject({ tracks: 1, lines: 2 });
});
