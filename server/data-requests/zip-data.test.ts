import { strFromU8, unzipSync } from "fflate";
import { eq, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { Writable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertQuote } from "../../tests/paid-order.ts";
import { member } from "../../tests/people.ts";
import { readInTurn } from "../database/read-in-turn.ts";
import { dataRequests, incidents, quotes } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { collectData, findFiles, type PersonData, type Section } from "./collect-data.ts";
import { dataSections } from "./data-sections.ts";
import { zipData } from "./zip-data.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  for (const name of ["proposal-1.pdf", "proposal-2.pdf", "proposal-3.pdf"])
    await server.services.files.write(name, Buffer.from("%PDF-1.7 ten by"));
});
afterAll(() => server.stop());

/** All columns of a quote that a copy can't generate itself. */
const copied = `organization_name, user_name, user_email, phone_number, number_of_users, message, rate_card_id, sample_rates,
  lines, subtotal_paise, discount_basis_points, discount_paise, gst_paise, total_paise, valid_until, made_by`;

const data = (files: PersonData["files"], sections: Section[] = []): PersonData => ({
  email: "asha@example.in",
  files,
  read: (use) => use({ collectedAt: "2026-11-22T06:00:00Z", sections }),
});
const unzipped = async (files: PersonData["files"], documentBytesMax?: number) =>
  unzipSync(await buffer(zipData(server.services, data(files), documentBytesMax)));

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

it.each([
  [["a.txt", "a.txt", "a-2.txt", "a.txt"]],
  [["a.txt", "a-2.txt", "a.txt"]],
  [["Screen shot.txt", "Screen-shot.txt", "screen shot.TXT"]],
  [["...", "a.txt"]],
])("Every file that somebody attached is in the copy under a name of its own: %j", async (names) => {
  const person = await member(server, "user");
  const { organisationId } = person;
  const at = server.services.now();
  const [incident] = await server.services.database
    .insert(incidents)
    .values({ organisationId, title: "R", source: "analyst", severity: "P1", openedAt: at, changedAt: at })
    .returning();
  for (const [index, name] of names.entries()) {
    const file = Buffer.from(`content ${index}`).toString("base64");
    const attached = { id: incident?.id, file_id: randomUUID(), name, file };
    expect((await server.send("user/incidents/attach", attached, person.token)).status).toBe(201);
  }
  const copied = await collectData(server.services, { email: person.email, personId: person.id });
  const entries = unzipSync(await buffer(zipData(server.services, copied)));
  const attached = Object.entries(entries).filter(([name]) => name.startsWith("files/"));
  const contents = attached.map(([, bytes]) => strFromU8(bytes));
  expect(contents.toSorted()).toEqual(names.map((_, index) => `content ${index}`));
  // A file system that ignores case must have room for each of them too.
  expect(new Set(attached.map(([name]) => name.toLowerCase())).size).toBe(names.length);
});

it("Documents that have no room are named, and where one could not be read", async () => {
  const files = ["1", "2", "3", "4"].map((number) => ({ file: `proposal-${number}.pdf`, shownAs: `Q-${number}.pdf` }));
  const page = async (max?: number) => strFromU8((await unzipped(files, max))["index.html"] ?? new Uint8Array());
  expect(Object.keys(await unzipped(files, 20)).filter((name) => name.startsWith("files/"))).toHaveLength(2);
  expect(await page(20)).toContain("<li>Q-3.pdf: there was no room for it; please ask for it</li>");
  expect(await page()).toContain("<li>Q-4.pdf: could not be read; please ask for it</li>");
});

it("However much there is of somebody, each kind of it is asked for by one statement that the database takes", async () => {
  const many = Array.from({ length: 65_600 }, () => randomUUID());
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
    for (const section of dataSections)
      for await (const some of readInTurn(transaction, section.rows(transaction, owner))) rows.push(...some);
    return rows;
  });
  expect(found).toEqual([]);
});

describe("A copy of much more than fits into memory", () => {
  /** A section with this many records, generated on demand. */
  const many = (records: number, made: { count: number }): Section => ({
    name: "quotes",
    title: "Quotes",
    async *rows() {
      for (let number = 0; number < records; number += 100, made.count += 100)
        yield Array.from({ length: 100 }, (_, index) => ({ number: number + index, noise: randomUUID().repeat(10) }));
    },
  });

  it("is made as it is taken: what nobody takes yet is not read", async () => {
    const made = { count: 0 };
    const copy = zipData(server.services, data([], [many(1_000_000, made)]));
    const chunks = copy[Symbol.asyncIterator]();
    await chunks.next();
    await setTimeout(300);
    expect(made.count).toBeLessThan(100_000);
    copy.destroy();
  });

  it("lets the database go when its taker fails", async () => {
    const reading = Promise.withResolvers<string>();
    const source: PersonData = {
      ...data([]),
      read: async (use) => {
        const read = use({ collectedAt: "", sections: [many(1_000_000, { count: 0 })] });
        reading.resolve(await read.then(() => "read to its end").catch(() => "let go"));
        await read;
      },
    };
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("The disk is full")) });
    await expect(pipeline(zipData(server.services, source), full)).rejects.toThrow("The disk is full");
    expect(await reading.promise).toBe("let go");
  });

  it("reads no further document, and blames none, when its taker fails", async () => {
    const read: string[] = [];
    const blamed: unknown[] = [];
    const services = {
      files: { ...server.services.files, read: async (name: string) => (read.push(name), Buffer.alloc(100_000)) },
      log: { ...server.services.log, error: (...said: unknown[]) => void blamed.push(said) } as Services["log"],
    };
    const files = Array.from({ length: 20 }, (_, index) => ({
      file: `proposal-${index}.pdf`,
      shownAs: `Q-${index}.pdf`,
    }));
    const full = new Writable({ write: (_chunk, _encoding, done) => done(new Error("The disk is full")) });
    await expect(pipeline(zipData(services, data(files)), full)).rejects.toThrow("The disk is full");
    await setTimeout(300);
    // A few were on their way already.
    expect(read.length).toBeLessThan(5);
    expect(blamed).toEqual([]);
  });

  it("fails as a whole where a part can't be read", async () => {
    const broken: Section = {
      name: "quotes",
      title: "Quotes",
      // oxlint-disable-next-line require-yield -- it throws before any yield
      async *rows() {
        throw new Error("The database is gone");
      },
    };
    await expect(buffer(zipData(server.services, data([], [broken])))).rejects.toThrow("The database is gone");
  });

  it("comes from the worker with every record of thousands, as the columns of each are read elsewhere", async () => {
    const admin = await member(server, "admin");
    const person = await member(server, "user");
    const first = await insertQuote(server, person);
    await server.services.database.execute(sql`
      insert into quotes (${sql.raw(copied)}) select ${sql.raw(copied)} from quotes, generate_series(1, 3000)
      where id = ${first.id}`);
    const id = randomUUID();
    await server.send("admin/people/request-data", { id, kind: "export", email: person.email }, admin.token);
    const state = async () =>
      (await server.services.database.select().from(dataRequests).where(eq(dataRequests.id, id)))[0]?.state;
    await expect.poll(state).toBe("done");
    const entries = unzipSync(await server.services.files.read(`data-${id}.zip`));
    const { quotes: found, accounts } = JSON.parse(strFromU8(entries["data.json"] ?? new Uint8Array())) as Record<
      string,
      object[]
    >;
    const inDatabase = await server.services.database.select().from(quotes).where(eq(quotes.userEmail, person.email));
    const sorted = (rows: object[] = []) => rows.map((row) => JSON.stringify(row)).toSorted();
    expect(found).toHaveLength(3001);
    expect(sorted(found)).toEqual(
      sorted(inDatabase.map(({ searched: _searched, requestKey: _key, ...shown }) => shown)),
    );
    expect(accounts).toMatchObject([{ id: person.id, joinedAt: expect.stringMatching(/^\d{4}-.*Z$/) }]);
  });

  it("shows the first records of a kind on its page, and says that all of them stand beside it", async () => {
    const entries = unzipSync(await buffer(zipData(server.services, data([], [many(1200, { count: 0 })]))));
    const text = (name: string) => strFromU8(entries[name] ?? new Uint8Array());
    const all = JSON.parse(text("data.json")) as { quotes: { number: number }[] };
    expect(all.quotes.map(({ number }) => number)).toEqual(Array.from({ length: 1200 }, (_, index) => index));
    const page = text("index.html");
    expect(page.match(/<dl>/g)).toHaveLength(limits.dataExportShownRecords);
    expect(page).toContain("Quotes</a>: 1200</li>");
    expect(page).toContain(`These are ${limits.dataExportShownRecords} of 1200`);
  });
});
