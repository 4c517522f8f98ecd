import { strFromU8, unzipSync } from "fflate";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { findFiles, type PersonData } from "./collect-data.ts";
import { dataSections } from "./data-sections.ts";
import { zipData } from "./zip-data.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  for (const name of ["proposal-1.pdf", "proposal-2.pdf", "proposal-3.pdf"])
    await server.services.files.write(name, Buffer.from("%PDF-1.7 ten by"));
});
afterAll(() => server.stop());

const data = (files: PersonData["files"]): PersonData => ({
  email: "asha@example.in",
  collectedAt: "2026-11-22T06:00:00Z",
  sections: [],
  files,
});
const unzipped = async (files: PersonData["files"], documentBytesMax?: number) =>
  unzipSync(await zipData(server.services, data(files), documentBytesMax));

it("No name in a copy of somebody's data leads out of the folder that it is unpacked in", async () => {
  const names = ["../../.ssh/Q-000001.pdf", "A/B-proposal-Q-000002.pdf", "प्रहरी-invoice 3.pdf"];
  const files = names.map((shownAs, index) => ({ file: `proposal-${index + 1}.pdf`, shownAs }));
  const entries = await unzipped(files);
  const inFolder = ["files/-..-.ssh-Q-000001.pdf", "files/A-B-proposal-Q-000002.pdf", "files/प्रहरी-invoice-3.pdf"];
  expect(Object.keys(entries).toSorted()).toEqual([...inFolder, "data.json", "index.html"].toSorted());
  const page = strFromU8(entries["index.html"] ?? new Uint8Array());
  const linked = [...page.matchAll(/href="(files[^"]*)"/g)].map(([, path = ""]) => decodeURIComponent(path));
  expect(linked.toSorted()).toEqual(inFolder.toSorted());
});

it("Documents that have no room are named, and where one could not be read", async () => {
  const files = ["1", "2", "3", "4"].map((number) => ({ file: `proposal-${number}.pdf`, shownAs: `Q-${number}.pdf` }));
  const page = async (max?: number) => strFromU8((await unzipped(files, max))["index.html"] ?? new Uint8Array());
  expect(Object.keys(await unzipped(files, 20)).filter((name) => name.startsWith("files/"))).toHaveLength(2);
  expect(await page(20)).toContain("<li>Q-3.pdf: there was no room for it; please ask for it</li>");
  expect(await page()).toContain("<li>Q-4.pdf: could not be read; please ask for it</li>");
});

it("However much there is of somebody, each kind of it is asked for by one statement that the database takes", async () => {
  const many = Array.from({ length: 70_000 }, () => randomUUID());
  const owner = {
    email: "",
    people: many,
    organisations: many,
    quotes: many,
    leads: many,
    orders: many,
    attempts: many,
  };
  const found = await server.services.database.transaction(async (transaction) => {
    const rows: unknown[] = await findFiles(transaction, owner);
    // oxlint-disable-next-line no-await-in-loop -- a transaction has one connection
    for (const section of dataSections) rows.push(...(await section.rows(transaction, owner)));
    return rows;
  });
  expect(found).toEqual([]);
});
