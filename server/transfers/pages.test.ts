import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../contract/limits.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Certificate, Transfer } from "../../contract/receivables.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";
import { newUtr } from "../../tests/transfers.ts";
import { orders, organisations, taxDeductions, transfers } from "../database/schema/index.ts";

/** More than two pages of the greatest length. */
const many = 2 * limits.listLimitMax + 30;

let server: TestServer;
let admin: Member;
let buyer: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  admin = await member(server, "admin");
  buyer = await member(server, "user", { organizationName: "Periyar Spices" });
});
afterAll(() => server.stop());

const db = () => server.services.database;

interface Page<Row> {
  rows: Row[];
  nextCursor: string | null;
  total: number;
  totalIsCapped: boolean;
}
/** All pages of a list, one after the other. */
async function pagesOf<Row>(ask: (cursor: { cursor?: string }) => Promise<Page<Row>>): Promise<Page<Row>[]> {
  const pages: Page<Row>[] = [];
  for (let cursor: string | null = ""; cursor !== null; cursor = pages.at(-1)?.nextCursor ?? null)
    pages.push(await ask(cursor ? { cursor } : {}));
  return pages;
}

async function askTransfers(query: Parameters<typeof server.call<"admin/transfers">>[1]): Promise<Page<Transfer>> {
  const { transfers: rows, ...page } = (await server.call("admin/transfers", query, admin.token)).body;
  return { rows, ...page };
}
async function askCertificates(
  query: Parameters<typeof server.call<"admin/certificates">>[1],
): Promise<Page<Certificate>> {
  const { certificates: rows, ...page } = (await server.call("admin/certificates", query, admin.token)).body;
  return { rows, ...page };
}

describe("transfers", () => {
  let order: typeof orders.$inferSelect;
  const seen: string[] = [];
  beforeAll(async () => {
    order = await insertOrder(server, buyer, { state: "awaiting_transfer", expectedPaise: 900_00 });
    for (let index = 0; index < many; index++) seen.push(newUtr());
    const came = { amountPaise: 100_00, receivedOn: "2026-01-02" };
    await db()
      .insert(transfers)
      .values(
        seen.map((utr, index) => ({
          ...came,
          utr,
          state: "seen" as const,
          payer: index === 7 ? "Malabar Networks" : "Kaveri Textiles",
          narration: index === 8 ? "NEFT for lamps" : "NEFT",
        })),
      );
    const known = { ...came, orderId: order.id };
    await db()
      .insert(transfers)
      .values([
        { ...known, utr: newUtr(), state: "announced", amountPaise: 900_00 },
        { ...known, utr: newUtr(), state: "matched", receivedOn: "2026-01-09" },
      ]);
  });

  it("are read page by page without a gap, the newest first, and counted", async () => {
    const pages = await pagesOf((cursor) => askTransfers({ limit: 100, ...cursor }));
    expect(pages.map(({ rows, total, totalIsCapped }) => [rows.length, total, totalIsCapped])).toEqual([
      [100, many + 2, false],
      [100, many + 2, false],
      [32, many + 2, false],
    ]);
    const utrs = pages.flatMap(({ rows }) => rows.map(({ utr }) => utr));
    expect(utrs.slice(2)).toEqual(seen.toReversed());
    expect(new Set(utrs).size).toBe(many + 2);
  });

  it("without a match leave out what is matched", async () => {
    const pages = await pagesOf((cursor) => askTransfers({ open: "true", ...cursor }));
    expect(pages.map(({ rows }) => rows.length)).toEqual([50, 50, 50, 50, many + 1 - 200]);
    expect(pages.flatMap(({ rows }) => rows).filter(({ state }) => state === "matched")).toEqual([]);
    expect(pages[0]?.total).toBe(many + 1);
  });

  it("show a customer its own as ever", async () => {
    const { body } = await server.call("user/payments-due", {}, buyer.token);
    expect(body.transfers.map(({ state }) => state)).toEqual(["matched", "announced"]);
  });

  it.each([
    ["malabar", 7],
    ["lamps", 8],
  ])("are found by %s", async (search, index) => {
    for (const open of ["true", "false"] as const)
      expect((await askTransfers({ open, search })).rows.map(({ utr }) => utr)).toEqual([seen[index]]);
  });

  it("are found by their bank reference, and by the order that they are for", async () => {
    expect((await askTransfers({ search: seen[3] ?? "" })).rows.map(({ utr }) => utr)).toEqual([seen[3]]);
    const number = orderNumber(order.serial);
    const found = (await askTransfers({ search: number })).rows;
    expect(found.map(({ state, order_number }) => [state, order_number])).toEqual([
      ["matched", number],
      ["announced", number],
    ]);
    await db().update(transfers).set({ orderId: null }).where(eq(transfers.state, "announced"));
    expect((await askTransfers({ search: number })).rows.map(({ state }) => state)).toEqual(["matched"]);
  });

  it("are sorted by sum and by day", async () => {
    expect((await askTransfers({ sort: "-amount" })).rows[0]?.amount).toBe("900.00");
    expect((await askTransfers({ sort: "-day" })).rows[0]?.received_on).toBe("2026-01-09");
    expect((await askTransfers({ sort: "-day", open: "true" })).rows[0]?.received_on).toBe("2026-01-02");
  });
});

describe("certificates of deducted tax", () => {
  const claims: (typeof taxDeductions.$inferSelect)[] = [];
  beforeAll(async () => {
    for (let index = 0; index < many + 2; index++) {
      const { id: orderId } = await insertOrder(server, buyer, { state: "invoiced", paidAt: null });
      const claim = {
        orderId,
        section: "194J",
        basisPoints: 1000,
        amountPaise: 10_00 + index,
        claimedAt: new Date(Date.UTC(2026, 0, 1) + (index % 2 === 0 ? index : many + index) * 60_000),
      };
      const uploaded = { state: "uploaded" as const, certificateNumber: `CERT-${index}`, quarter: "2025-26 Q4" };
      const [made] = await db()
        .insert(taxDeductions)
        .values({
          ...claim,
          ...(index < many && index % 10 === 0 && uploaded),
          // Matched, and ended with its invoice.
          ...(index === many && { state: "matched" }),
          ...(index === many + 1 && { debtSince: new Date() }),
        })
        .returning();
      if (made) claims.push(made);
    }
  });

  it("are read page by page without a gap, the uploaded ones before the newest, and counted", async () => {
    const pages = await pagesOf((cursor) => askCertificates({ limit: 100, ...cursor }));
    expect(pages.map(({ rows, total }) => [rows.length, total])).toEqual([
      [100, many],
      [100, many],
      [many - 200, many],
    ]);
    const wanted = claims
      .slice(0, many)
      .toSorted((one, other) => other.claimedAt.getTime() - one.claimedAt.getTime())
      .toSorted((one, other) => Number(other.state === "uploaded") - Number(one.state === "uploaded"));
    expect(pages.flatMap(({ rows }) => rows.map(({ id }) => id))).toEqual(wanted.map(({ id }) => id));
  });

  it("are found by their number, their quarter, their order and who deducted", async () => {
    expect((await askCertificates({ search: "cert-120" })).rows.map(({ number }) => number)).toEqual(["CERT-120"]);
    expect((await askCertificates({ search: "2025-26 Q4" })).total).toBe(many / 10);
    const [one] = (await askCertificates({ limit: 1 })).rows;
    const found = (await askCertificates({ search: one?.order_number ?? "" })).rows;
    expect(found.map(({ id }) => id)).toEqual([one?.id]);
    expect((await askCertificates({ search: "periyar" })).total).toBe(many);
  });

  it("are found by what their customer is called now, and by an invoice that was made after them", async () => {
    const [{ orderId } = { orderId: "" }] = claims;
    await db().update(orders).set({ invoiceNumber: "SOC/25-26/000777" }).where(eq(orders.id, orderId));
    const named = { name: "Bharathappuzha Spices" };
    await db().update(organisations).set(named).where(eq(organisations.id, buyer.organisationId));
    expect((await askCertificates({ search: "000777" })).rows).toMatchObject([
      { id: claims[0]?.id, invoice_number: "SOC/25-26/000777", organization_name: named.name },
    ]);
    expect((await askCertificates({ search: "periyar" })).total).toBe(0);
    expect((await askCertificates({ search: "bharathap" })).total).toBe(many);
  });

  it("are sorted by sum and by customer", async () => {
    expect((await askCertificates({ sort: "amount" })).rows[0]?.amount).toBe("10.00");
    const other = await member(server, "user", { organizationName: "Aluva Tiles" });
    const { id: orderId } = await insertOrder(server, other, { state: "invoiced", paidAt: null });
    await db().insert(taxDeductions).values({ orderId, section: "194J", basisPoints: 200, amountPaise: 5_00 });
    expect((await askCertificates({ sort: "organization_name" })).rows[0]?.organization_name).toBe("Aluva Tiles");
  });

  it("stand before the others once they are uploaded, and leave when they are matched", async () => {
    const [claim] = claims.slice(1);
    const first = async () => (await askCertificates({ limit: 1 })).rows[0]?.id;
    const change = (to: Partial<typeof taxDeductions.$inferInsert>) =>
      db()
        .update(taxDeductions)
        .set(to)
        .where(eq(taxDeductions.id, claim?.id ?? ""));
    expect(await first()).not.toBe(claim?.id);
    await change({ state: "uploaded", claimedAt: new Date(Date.now() + 86_400_000) });
    expect(await first()).toBe(claim?.id);
    await change({ state: "matched" });
    expect(await first()).not.toBe(claim?.id);
  });
});

it.each(["admin/transfers", "admin/certificates"] as const)(
  "%s refuses a cursor and a sort that are not its own, and everybody who is no administrator",
  async (operation) => {
    const refused = await server.send(operation, { cursor: "nowhere" }, admin.token);
    expect([refused.status, refused.body["fields"]]).toEqual([422, { cursor: expect.stringMatching(/not known/) }]);
    expect((await server.send(operation, { sort: "payer" }, admin.token)).status).toBe(422);
    expect((await server.send(operation, { limit: 101 }, admin.token)).status).toBe(422);
    const { token } = await member(server, "adminChild");
    expect((await server.send(operation, {}, token)).status).toBe(200);
    for (const role of ["user", "partner"] as const)
      expect((await server.send(operation, {}, (await member(server, role)).token)).status).toBe(403);
  },
);
