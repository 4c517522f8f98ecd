import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mailSubjects } from "./subjects.ts";

it("Every mail that can fail is called by words, not by the key of its cause", () => {
  const files = globSync("server/**/*.ts").filter((file) => !file.endsWith(".test.ts"));
  // Facts of incidents have other keys, in files that write no mail.
  const texts = files
    .map((file) => readFileSync(file, "utf8"))
    .filter((text) => /\bqueueMails?\b|reminderKey/.test(text));
  const keys = texts.flatMap((text) =>
    Array.from(text.matchAll(/(?:eventKey: |reminderKey = .*=> )`([a-z-]+):/g), ([, key = ""]) => key),
  );
  expect(keys.length).toBeGreaterThan(10);
  expect(keys.filter((key) => !(key in mailSubjects))).toEqual([]);
});
