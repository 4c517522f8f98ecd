import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { organisation } from "../../tests/people.ts";
import { coverageFigures, coverageSums, organisations } from "../database/schema/index.ts";
import { foldCoverageSums, readCoverageSums } from "./sums.ts";

let server: TestServer;
const homes: string[] = [];
let partnerId: string;
let otherPartnerId: string;
const soon = new Date(Date.now() + 3_600_000);
beforeAll(async () => {
  server = await startTestServer({ work: false });
  partnerId = await organisation(server, "partner", "Malabar");
  otherPartnerId = await organisation(server, "partner", "Konkan");
  for (const [index, name] of ["Tapti", "Beas", "Kosi", "Luni"].entries()) {
    homes.push(await organisation(server, "user", name, index < 2 ? partnerId : undefined));
  }
});
afterAll(() => server.stop());

const database = () => server.services.database;
const moveTo = (home: string, partner: string | null) =>
  database().update(organisations).set({ partnerId: partner }).where(eq(organisations.id, home));

/** The same sums, computed from the count of each customer. */
async function counted(whose: string | null, now: Date): Promise<object | undefined> {
  const { rows } = await database().$client.query<object>(
    `select count(*)::int as customers, (count(*) filter (where not fresh or unknown_since is not null))::int as "unknownCustomers",
        coalesce(sum(contracted), 0)::int as contracted, coalesce(sum(connected) filter (where fresh), 0)::int as connected,
        coalesce(sum(silent) filter (where fresh), 0)::int as silent,
        coalesce(sum(never_connected) filter (where fresh), 0)::int as "neverConnected",
        coalesce(sum(missing), 0)::int as missing,
        coalesce(sum(case when fresh then unknown else contracted - missing end), 0)::int as unknown
      from (select *, next_count_at >= $1::timestamptz - interval '10 minutes' as fresh from coverage_figures) as figures
      where $2::uuid is null or partner_id = $2`,
    [now, whose],
  );
  return rows[0];
}

async function expectSame(customers: number, now = new Date()): Promise<void> {
  for (const whose of [null, partnerId, otherPartnerId])
    expect(await readCoverageSums(database(), whose, now)).toEqual(await counted(whose, now));
  expect(await readCoverageSums(database(), null, now)).toMatchObject({ customers });
}

const count = (home: string, base: number) => ({
  organisationId: home,
  countedAt: new Date(),
  nextCountAt: soon,
  contracted: base + 60,
  connected: base + 1,
  silent: base + 2,
  neverConnected: base + 3,
  unknown: base + 4,
  missing: base + 5,
  notContracted: 0,
  unmatched: 0,
  share: 5000,
  lines: [],
  additions: [],
});

it("Of nobody the sums are nothing", async () => {
  expect(Object.values(await readCoverageSums(database(), null, new Date()))).toEqual(Array(8).fill(0));
  await expectSame(0);
});

it("The sums are those of the counts, whatever is counted, grows old, changes hands or goes", async () => {
  for (const [index, home] of homes.entries())
    await database()
      .insert(coverageFigures)
      .values(count(home, 10 ** index));
  await expectSame(4);
  const change = (values: Partial<typeof coverageFigures.$inferInsert>) =>
    database()
      .update(coverageFigures)
      .set(values)
      .where(eq(coverageFigures.organisationId, homes[0] ?? ""));
  for (const values of [
    { connected: 500, silent: 0 },
    { unknownSince: new Date(), unknown: 33 },
    { nextCountAt: new Date(Date.now() - 3_600_000) },
    { unknownSince: null },
    { neverConnected: 7, missing: 1, contracted: 900 },
    { nextCountAt: soon },
    { share: 1 },
  ]) {
    await change(values);
    await expectSame(4);
    await expectSame(4, new Date(Date.now() + 24 * 3_600_000));
  }
  for (const partner of [otherPartnerId, null, partnerId]) {
    await moveTo(homes[0] ?? "", partner);
    await expectSame(4);
  }
  await foldCoverageSums(database());
  expect(await database().$count(coverageSums)).toBe(3);
  await expectSame(4);
  await database()
    .delete(coverageFigures)
    .where(eq(coverageFigures.organisationId, homes[3] ?? ""));
  await expectSame(3);
});

it("What is undone with its transaction is not in the sums, and counts and folds at once lose nothing", async () => {
  const undone = database().transaction(async (transaction) => {
    await transaction.update(coverageFigures).set({ connected: 9000 });
    throw new Error("undone");
  });
  await expect(undone).rejects.toThrow("undone");
  const more = (home: string) =>
    database()
      .update(coverageFigures)
      .set({ connected: sql`connected + 1` })
      .where(eq(coverageFigures.organisationId, home));
  const counting = homes.flatMap((home) => Array.from({ length: 6 }, () => more(home)));
  await Promise.all([...counting, ...Array.from({ length: 4 }, () => foldCoverageSums(database()))]);
  await expectSame(3);
});
