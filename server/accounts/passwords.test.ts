import { dictionary } from "@zxcvbn-ts/language-common";
import { expect, test } from "vitest";
import { Password } from "../../contract/fields.ts";
import { Failure } from "../errors.ts";
import { hashPassword, passwordFits, refuseGuessable } from "./passwords.ts";

const asha = ["asha.rao@kaveri.example", "Asha", "Rao", "Kaveri Textiles"];

function refused(password: string): boolean {
  try {
    refuseGuessable(password, "newPassword", asha);
    return false;
  } catch (failure) {
    if (failure instanceof Failure && failure.fields?.["newPassword"]) return true;
    throw failure;
  }
}

test("every common password of twelve characters and more is refused", () => {
  const common = Array.from(dictionary["passwords-common"] as Iterable<string>).filter(({ length }) => length >= 12);
  expect(common.length).toBeGreaterThan(300);
  expect(common.filter((password) => !refused(password))).toEqual([]);
});

test("600 common passwords lengthened to twelve characters in the usual ways are refused", () => {
  const words = Array.from(dictionary["passwords-common"] as Iterable<string>).slice(0, 100);
  const lengthen = [
    (word: string) => word.repeat(Math.ceil(12 / word.length)),
    (word: string) => (word + "123456789012").slice(0, Math.max(12, word.length + 4)),
    (word: string) => `${word}${"1".repeat(Math.max(1, 12 - word.length))}`,
    (word: string) => `${word}${word}1234567`.slice(0, Math.max(12, word.length * 2 + 1)),
    (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}123456789`,
    (word: string) => `123456${word}654321`.slice(0, Math.max(12, word.length + 6)),
  ];
  const tried = words.flatMap((word) => lengthen.map((longer) => longer(word)));
  expect(tried).toHaveLength(600);
  expect(tried.filter((password) => !refused(password))).toEqual([]);
});

test.each([
  "aaaaaaaaaaaa",
  "123456789012",
  "abcdefghijkl",
  "qwertyuiopas",
  "asdfghjkl;'#",
  "password1234",
  "P@ssw0rd1234",
  "Password@2026!",
  "Welcome@12345",
  "Welcome@123456",
  "Summer2026!!",
  "India@123456",
  "Mumbai@12345",
  "iloveyou1234",
  "1q2w3e4r5t6y",
  "monkeymonkey",
  "Prahari@2026",
  "prahari12345",
  "AshaRao@2026",
  "asha.rao@kaveri.example",
  "kaveritextiles",
  "KaveriTextiles1",
  "2026-11-21-2026",
  "            ",
  "Asha Rao 12345",
  "pass word 2026",
])("%j is refused as guessable", (password) => {
  expect(refused(password)).toBe(true);
});

test.each([
  "correct horse battery 42",
  "blue table seven",
  "x7#kQ9pL2mVt",
  "नदी किनारे पुराना पुल",
  "மழை வந்தால் குடை எங்கே",
  "🚲🌧️🥭🪔🎻🧵🏏🫖",
  "Tr0ub4dour&3xy",
  "x".repeat(41),
  "x".repeat(128),
])("%j is let through", (password) => {
  expect(refused(password)).toBe(false);
});

test.each(["p4$$w0rd", "1a1a1a1a", "12/3/45-"])("%j is judged in 40 characters, and not in more", (pattern) => {
  expect(refused(pattern.repeat(5))).toBe(true);
  expect(refused(pattern.repeat(6))).toBe(false);
});

test.each([
  [11, false],
  [12, true],
  [128, true],
  [129, false],
])("a password of %i characters is taken: %s", (length, taken) => {
  expect(Password.safeParse("ñ".repeat(length)).success).toBe(taken);
});

test("a password is kept as argon2id with 19 MiB and two passes, each time salted anew", async () => {
  const hash = await hashPassword("correct horse battery 42");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await hashPassword("correct horse battery 42")).not.toBe(hash);
  expect(await passwordFits("correct horse battery 42", hash)).toBe(true);
  expect(await passwordFits("correct horse battery 43", hash)).toBe(false);
  expect(await passwordFits("Correct horse battery 42", hash)).toBe(false);
});

test("all of a long password counts, and accents fit however a keyboard composes them", async () => {
  const hash = await hashPassword(`${"é".repeat(127)}x`);
  expect(await passwordFits(`${"é".repeat(127)}y`, hash)).toBe(false);
  expect(await passwordFits(`${"e\u0301".repeat(127)}x`, hash)).toBe(true);
});

test("nothing fits where there is no password", async () => {
  expect(await passwordFits("nobody has this password", null)).toBe(false);
  expect(await passwordFits("nobody has this password", undefined)).toBe(false);
});
