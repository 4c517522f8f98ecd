import { expect, test } from "vitest";
import { ApiError } from "../api.ts";
import { saidBesides } from "./said-besides.ts";

const refusal = (message: string, said: string) => new ApiError(422, "invalid", message, { day: said });

test("A box leaves out what a field that is shown says, with or without its full stop", () => {
  const same = refusal("This day is still to come.", "This day is still to come");
  expect(saidBesides(same, () => true)).toBeNull();
  expect(saidBesides(same, () => false)).toBe(same);
});

test("A box that says more than the field, or that no field is about, stays", () => {
  const more = refusal("The reference X was recorded before.", "This one was recorded before");
  const other = new Error("This day is still to come");
  expect(saidBesides(more, () => true)).toBe(more);
  expect(saidBesides(other, () => true)).toBe(other);
  expect(saidBesides(null, () => true)).toBeNull();
});
