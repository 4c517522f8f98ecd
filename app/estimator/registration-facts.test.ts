import { expect, it, test } from "vitest";
import { factsFrom, readFacts } from "./registration-facts.ts";

const form = {
  userName: " Asha Devi  Rao ",
  userEmail: " asha@example.in",
  organizationName: "Kaveri Textiles ",
  phoneNumber: "+919876543210",
  numberOfUsers: "12",
  message: "Two plants.",
};
const facts = {
  firstName: "Asha Devi",
  lastName: "Rao",
  email: "asha@example.in",
  organizationName: "Kaveri Textiles",
  phoneNo: "+919876543210",
};

it("An estimate tells the five facts of a registration", () => {
  expect(factsFrom(form)).toEqual(facts);
  expect(factsFrom({ ...form, userName: "आशा" })).toMatchObject({ firstName: "आशा", lastName: "" });
});

it("They come back out of the history as they went in", () => {
  expect(readFacts({ facts })).toEqual(facts);
});

test.each([null, undefined, "facts", {}, { facts: null }, { facts: { ...facts, email: 7 } }, { facts: {} }])(
  "Nothing is read from what is no facts (%#)",
  (state) => {
    expect(readFacts(state)).toBeNull();
  },
);
