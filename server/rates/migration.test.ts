import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { databaseUrl } from "../../tests/global-setup.ts";
import { openDatabase, prepareDatabase, readMigrations } from "../database/database.ts";
import { quotes } from "../database/schema/index.ts";
import { priceDevices } from "./pricing.ts";
import { catalogueInForce, currentRateCard } from "./rate-card.ts";

const name = `test_${randomUUID().replaceAll("-", "")}`;
const server = new Client({ connectionString: inject("postgresUrl") });
const client = new Client({ connectionString: databaseUrl(inject("postgresUrl"), name) });
beforeAll(async () => {
  await server.connect();
  await server.query(`create database ${name}`);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.query(`drop database ${name} with (force)`);
  await server.end();
});

it("An existing database keeps its cards and quotes: each price gets its group and name, each card its day", async () => {
  await prepareDatabase(client);
  const migrations = readMigrations();
  const place = migrations.findIndex(({ sql }) => sql.some((statement) => statement.includes("rate_card_drafts")));
  for (const { sql } of migrations.slice(0, place)) for (const statement of sql) await client.query(statement);
  const rates = [
    { service: "Cloud", deviceType: "AWS", unit: "instance", yearlyPaise: 12_345_00 },
    { service: "Server", deviceType: "Prod Server", unit: "device", yearlyPaise: 100_00 },
    { service: "Customization", deviceType: "*", unit: "device", yearlyPaise: 999_00 },
  ];
  for (const day of ["2026-01-01", "2026-06-01"])
    await client.query("insert into rate_cards (rates, tiers, is_sample, created_at) values ($1, '[]', true, $2)", [
      JSON.stringify(rates),
      day,
    ]);
  await client.query(
    `insert into quotes (organization_name, user_name, user_email, phone_number, number_of_users, message, rate_card_id,
      sample_rates, lines, subtotal_paise, discount_basis_points, discount_paise, gst_paise, total_paise, valid_until)
    select 'Kaveri Textiles', 'Asha Rao', 'asha@example.in', '+919876543210', 1, 'Hello', id, true, '[]', 0, 0, 0, 0, 0, now()
    from rate_cards limit 1`,
  );
  for (const { sql } of migrations.slice(place)) for (const statement of sql) await client.query(statement);

  const database = openDatabase(databaseUrl(inject("postgresUrl"), name));
  const services = { database, now: () => new Date() };
  const card = await currentRateCard(services);
  expect(card).toMatchObject({ serial: 2, gstBasisPoints: 1800, quoteValidDays: 30, withdrawnAt: null, changes: [] });
  expect(card.inForceFrom).toEqual(card.createdAt);
  expect(card.rates.map(({ deviceType }) => deviceType)).toEqual(["AWS", "Prod Server", "*"]);
  expect(await catalogueInForce(services)).toMatchObject({
    groups: [
      { name: "Cloud", types: [{ service: "Cloud", deviceType: "AWS", name: "AWS" }] },
      { name: "Server", types: [{ service: "Server", deviceType: "Prod Server", name: "Prod Server" }] },
    ],
  });
  const priced = priceDevices(card, [{ service: "Cloud", deviceType: "AWS", number: 1 }]);
  expect(priced).toMatchObject({ subtotalPaise: 12_345_00, gstBasisPoints: 1800 });
  const [quote] = await database.select().from(quotes);
  expect(quote).toMatchObject({ gstBasisPoints: 1800, validDays: 30 });
  await database.$client.close(500);
});
