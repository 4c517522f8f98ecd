import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { insertOrder } from "../../tests/paid-order.ts";
import { member, type Member } from "../../tests/people.ts";

let server: TestServer;
let customer: Member;
let admin: Member;
beforeAll(async () => {
  server = await startTestServer({ work: false });
  customer = await member(server, "user");
  admin = await member(server, "admin");
  for (let count = 0; count < 3; count++) await insertOrder(server, customer);
  await insertOrder(server, customer, { state: "failure" });
});
afterAll(() => server.stop());

it("Orders, their quotes and their invoices are listed with the numbers that people use", async () => {
  const { paymentDetails } = (await server.call("user/get-payment-by-email", {}, customer.token)).body;
  const inOrder = paymentDetails.toSorted((one, other) => one.number.localeCompare(other.number));
  expect(inOrder.map(({ number }) => number)).toEqual(["O-000001", "O-000002", "O-000003", "O-000004"]);
  expect(inOrder.map(({ quote_number }) => quote_number)).toEqual(["Q-000001", "Q-000002", "Q-000003", "Q-000004"]);
  expect(inOrder.map(({ invoice_number }) => invoice_number?.slice(-6))).toEqual([
    "000001",
    "000002",
    "000003",
    undefined,
  ]);
  const { estimation } = (await server.call("user/get-estimation", { sort: "created_at" }, customer.token)).body;
  expect(estimation.map(({ number }) => number)).toEqual(["Q-000001", "Q-000002", "Q-000003", "Q-000004"]);
});

it.each(["O-000002", "o-000002", "000002", "SOC/"])("A search for %s finds orders by their numbers", async (search) => {
  const own = (await server.call("user/get-payment-by-email", { search }, customer.token)).body.paymentDetails;
  const all = (await server.call("admin/getPaymentDetailsByStatus", { search }, admin.token)).body.payments;
  for (const found of [own, all]) expect(found.map(({ number }) => number)).toContain("O-000002");
});

it("A search for a whole number finds that order alone", async () => {
  const { total } = (await server.call("user/get-payment-by-email", { search: "O-000002" }, customer.token)).body;
  expect(total).toBe(1);
});

it("A search finds a quote by its number", async () => {
  const { estimation } = (await server.call("user/get-estimation", { search: "q-000003" }, customer.token)).body;
  expect(estimation.map(({ number }) => number)).toEqual(["Q-000003"]);
});

it("Orders from before they had numbers are numbered in the order in which they were made", async () => {
  const { database } = server.services;
  const { rows: ids } = await database.$client.query<{ id: string }>("select id from orders order by id");
  for (const [place, { id }] of ids.entries())
    await database.$client.query("update orders set created_at = now() - make_interval(days => $1) where id = $2", [
      place,
      id,
    ]);
  const file = readdirSync("server/database/migrations").find((name) => name.endsWith("_orders_have_numbers.sql"));
  const byHand = readFileSync(`server/database/migrations/${file}`, "utf8").split("-- by hand")[1] ?? "";
  for (const statement of byHand.split("--> statement-breakpoint"))
    if (!statement.includes("create index")) await database.$client.query(statement);
  const { rows } = await database.$client.query<{ serial: number; searched: string }>(
    "select serial, searched from orders order by created_at",
  );
  expect(rows.map(({ serial }) => serial)).toEqual([1, 2, 3, 4]);
  expect(rows[0]?.searched).toContain("o-000001 ");
  await insertOrder(server, customer);
  expect((await server.call("user/get-payment-by-email", { search: "O-000005" }, customer.token)).body.total).toBe(1);
});
