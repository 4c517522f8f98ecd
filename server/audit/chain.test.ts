import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it, test } from "vitest";
import { forgetAudit } from "../../tests/forget-audit.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { drizzleConfig } from "../database/database.ts";
import { auditEntries } from "../database/schema/index.ts";
import { audit } from "./audit.ts";
import { sealEntries } from "./chain.ts";
import { workFrom } from "./origin.ts";
import { removeOldEntries } from "./removal.ts";
import { verifyChain } from "./verify.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ work: false });
});
afterAll(() => server.stop());
beforeEach(() => forgetAudit(server));

const database = () => server.services.database;
const query = (text: string) => database().$client.query(text);
const verify = () => verifyChain(database());
const write = (subject: string, at?: Date) =>
  at
    ? database().insert(auditEntries).values({ at, action: "sign-in", subject })
    : audit(database(), null, "sign-in", subject);
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);

async function writeSealed(count: number, at?: Date): Promise<void> {
  for (let written = 0; written < count; written++) await write(`session:${written}`, at);
  await sealEntries(database());
}

/** Changes entries as an owner of the database could, with the triggers disabled. */
const tamper = (statement: string) =>
  query(`begin; alter table audit_entries disable trigger user; ${statement};
    alter table audit_entries enable trigger user; commit`);

/** The correct seal for an entry's present content, as somebody who knows how seals are computed could write it. */
const asSealed = (
  number: number,
) => `update audit_entries set hash = encode(sha256(convert_to(number || E'\\n' || previous_hash
  || E'\\n' || jsonb_build_array(id, extract(epoch from at), actor_id, action, subject, detail, address, customer_id,
  partner_id)::text, 'UTF8')), 'hex') where number = ${number}`;

describe("Audit entries", () => {
  it.each([
    "update audit_entries set action = 'x'",
    "update audit_entries set detail = '{\"a\": 1}'",
    "update audit_entries set customer_id = gen_random_uuid()",
    "update audit_entries set number = null, hash = null, previous_hash = null where number is not null",
    "update audit_entries set number = number + 10 where number is not null",
    "delete from audit_entries",
    "truncate audit_entries",
  ])("refuse in the database: %s", async (statement) => {
    await writeSealed(1);
    await write("session:unsealed");
    const { rows: before } = await query("select * from audit_entries order by id");
    await expect(query(statement)).rejects.toThrow("audit entries are neither changed nor deleted");
    expect((await query("select * from audit_entries order by id")).rows).toEqual(before);
  });

  it("about orders and of deletions are never deleted, however old", async () => {
    for (const subject of ["order:1", "invoice:1", "contract:1", "audit log"]) await write(subject, daysAgo(5000));
    await sealEntries(database());
    await expect(query("delete from audit_entries")).rejects.toThrow("neither changed nor deleted");
    await expect(query("delete from audit_entries where subject = 'contract:1'")).rejects.toThrow("neither changed");
    expect(await removeOldEntries(database(), daysAgo(1095), 100)).toBe(0);
  });

  it("say from where, and how often the work under way wrote one", async () => {
    await workFrom("203.0.113.9", () => write("session:1"));
    await write("session:2");
    const entries = await database().select().from(auditEntries).orderBy(auditEntries.id);
    expect(entries.map(({ address }) => address)).toEqual(["203.0.113.9", ""]);
  });
});

test("fifty writers and several sealers at once make one chain, each entry in it once", async () => {
  // The product's own pool limits waiting: on a slow machine it would refuse some of these.
  const pool = new Pool({ connectionString: server.databaseUrl, max: 25 });
  const writing = drizzle(pool, drizzleConfig);
  const writers = Array.from({ length: 50 }, (_, writer) =>
    writing.transaction(async (transaction) => {
      await audit(transaction, null, "sign-in", `session:${writer}`);
      await transaction.execute(sql`select pg_sleep(${Math.random() / 20})`);
      await audit(transaction, null, "sign-out", `session:${writer}`);
    }),
  );
  const sealers = Array.from({ length: 6 }, () => sealEntries(database()));
  await Promise.all([...writers, ...sealers]);
  await pool.end();
  await Promise.all([sealEntries(database()), sealEntries(database())]);
  const report = await verify();
  expect(report).toMatchObject({ entries: 100, waiting: 0, last: { number: 100 }, fault: null });
});

test("what a transaction wrote that was rolled back is not in the chain", async () => {
  const failing = database().transaction(async (transaction) => {
    await audit(transaction, null, "sign-in", "session:1");
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  await writeSealed(2);
  expect(await verify()).toMatchObject({ entries: 2, fault: null });
});

describe("The first entry at which the chain is broken is found, when", () => {
  beforeEach(() => writeSealed(6));
  const found = async () => {
    const { fault } = await verify();
    return fault && [fault.number, fault.what];
  };

  it("nothing is", async () => {
    expect(await found()).toBeNull();
  });
  it.each([
    ["action = 'sign-out'"],
    ["subject = 'session:99'"],
    ["detail = '{\"a\": 1}'"],
    ["at = at - interval '1 second'"],
    ["actor_id = gen_random_uuid()"],
    ["address = '198.51.100.7'"],
    ["customer_id = gen_random_uuid()"],
  ])("one was changed: %s", async (change) => {
    await tamper(`update audit_entries set ${change} where number in (3, 5)`);
    expect(await found()).toEqual([3, "was changed after it was sealed"]);
  });
  it("one was changed and sealed anew", async () => {
    await tamper(`update audit_entries set action = 'sign-out' where number = 3; ${asSealed(3)}`);
    expect(await found()).toEqual([4, expect.stringContaining("does not follow entry 3")]);
  });
  it("one was removed", async () => {
    await tamper("delete from audit_entries where number in (2, 4)");
    expect(await found()).toEqual([2, "is missing"]);
  });
  it("the first or the last was removed", async () => {
    await tamper("delete from audit_entries where number = 6");
    expect(await found()).toEqual([6, "is missing"]);
    await tamper("delete from audit_entries where number = 1");
    expect(await found()).toEqual([1, "is missing"]);
  });
  it("one was put in, its number that of one that was taken out", async () => {
    await tamper(`delete from audit_entries where number = 4;
      insert into audit_entries (action, subject, number, previous_hash, hash)
        select 'sign-out', 'session:x', 4, hash, '' from audit_entries where number = 3; ${asSealed(4)}`);
    expect(await found()).toEqual([5, expect.stringContaining("does not follow entry 4")]);
  });
  it("one was put in after the end", async () => {
    await tamper(`insert into audit_entries (action, subject, number, previous_hash, hash)
      select 'sign-out', 'session:x', 7, hash, '' from audit_entries where number = 6; ${asSealed(7)}`);
    expect(await found()).toEqual([7, "stands after the end of the chain, 6"]);
  });
  it("the end was cut off together with what the database knows of it: by a seal that was noted elsewhere", async () => {
    const { last } = await verify();
    await tamper(`delete from audit_entries where number > 4;
      update audit_chain set last_number = 4, last_hash = (select hash from audit_entries where number = 4)`);
    expect(await found()).toBeNull();
    expect((await verifyChain(database(), last)).fault).toMatchObject({ number: 6, what: "was noted and is missing" });
    await writeSealed(2);
    expect((await verifyChain(database(), last)).fault).toMatchObject({
      number: 6,
      what: "has another seal than the one that was noted",
    });
  });
  it("a deletion is told of that was before its time", async () => {
    await tamper("delete from audit_entries where number = 3");
    const detail = { numbers: [[3, 3]], before: daysAgo(1).toISOString() };
    await audit(database(), null, "remove audit entries", "audit log", detail);
    await audit(database(), null, "remove audit entries", "audit log", {
      ...detail,
      before: daysAgo(1200).toISOString(),
    });
    await sealEntries(database());
    expect(await found()).toEqual([3, "is missing"]);
  });
});

describe("After old entries were deleted", () => {
  const removeFour = () => removeOldEntries(database(), daysAgo(1095), 4);
  beforeEach(async () => {
    await writeSealed(3, daysAgo(1200));
    await write("order:1", daysAgo(1200));
    await writeSealed(3, daysAgo(1150));
    await writeSealed(2);
    await removeFour();
    await removeFour();
  });

  it("the chain holds, sealed or not, and what the books need is there", async () => {
    expect(await verify()).toMatchObject({ entries: 4, waiting: 1, fault: null });
    expect(await removeFour()).toBe(0);
    expect(await verify()).toMatchObject({ entries: 5, last: { number: 11 }, fault: null });
    expect(await database().$count(auditEntries, eq(auditEntries.subject, "order:1"))).toBe(1);
  });
  it("one that is younger and missing is found", async () => {
    await tamper("delete from audit_entries where number = 9");
    expect((await verify()).fault).toEqual({ number: 9, at: null, what: "is missing" });
  });
  it("one that was changed is found", async () => {
    await tamper("update audit_entries set subject = 'order:2' where number = 4");
    expect((await verify()).fault?.number).toBe(4);
  });
});

describe("npm run audit:verify", () => {
  const command = (...options: string[]) =>
    new Promise<{ code: number; said: string }>((done) => {
      const env = {
        PATH: process.env["PATH"],
        DATABASE_URL: server.databaseUrl,
        DATA_DIR: server.services.env.dataDir,
      };
      const node = join("node_modules", ".bin", "node");
      execFile(node, ["server/commands/audit-verify.ts", ...options], { env }, (error, stdout, stderr) =>
        done({ code: error ? Number(error.code) : 0, said: `${stdout}${stderr}`.trim() }),
      );
    });

  it("says while the product runs that all is as sealed, and names the first entry that is not", async () => {
    await writeSealed(3);
    const good = await command();
    expect(good).toEqual({
      code: 0,
      said: expect.stringMatching(
        /^3 entries are as sealed; 0 wait to be sealed\.\nKeep this elsewhere.*: 3:[\da-f]{64}$/,
      ),
    });
    const noted = good.said.slice(good.said.lastIndexOf("3:"));
    expect((await command("--noted", noted)).code).toBe(0);
    const at = new Date("2026-11-01T10:00:00Z").toISOString();
    await tamper(`update audit_entries set at = '${at}' where number = 2`);
    expect(await command()).toEqual({
      code: 1,
      said: `Entry 2, written at ${at}, was changed after it was sealed. The 1 entries before it are as sealed.`,
    });
    expect((await command("--noted", randomUUID())).said).toContain("--noted takes what an earlier run printed");
  });
});
