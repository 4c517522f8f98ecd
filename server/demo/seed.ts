import { eq, sql } from "drizzle-orm";
import { setTimeout as sleep } from "node:timers/promises";
import { writtenDay } from "../../contract/india-time.ts";
import { demoPassword } from "../accounts/demo-password.ts";
import { hashPassword } from "../accounts/passwords.ts";
import type { Services } from "../services.ts";
import { StartRefused } from "../settings/start-refused.ts";
import type { Transaction } from "../database/database.ts";
import { people, seedings, siteTexts } from "../database/schema/index.ts";
import { reopenDemo } from "./accounts.ts";
import { insertCustomers } from "./customers.ts";
import { insertCoverage } from "./coverage.ts";
import { insertEngines } from "./engines/insert-engines.ts";
import { insertIncidents } from "./incidents.ts";
import { insertOnboardings } from "./onboarding.ts";
import { insertLeads } from "./leads.ts";
import { insertBusiness } from "./orders.ts";
import { insertServiceReports } from "./service-reports.ts";

/**
 * Fills a demo once, however many copies start; all its data is marked as sample.
 * @throws StartRefused on a database that is already in use
 */
export async function seedDemo(services: Services): Promise<void> {
  const [done] = await services.database.select().from(seedings).where(eq(seedings.name, "demo"));
  if (done) return reopenDemo(services);
  const passwordHash = await hashPassword(demoPassword);
  await services.database.transaction(async (transaction) => {
    while (!(await takesTurn(transaction))) await sleep(200);
    const [first] = await transaction.insert(seedings).values({ name: "demo" }).onConflictDoNothing().returning();
    if (!first) return;
    await refuseUsed(transaction, services.env);
    const customers = await insertCustomers(transaction, services.now(), passwordHash);
    await insertSeller(transaction, services.now());
    await insertBusiness(services, transaction, customers);
    await insertLeads(transaction, services.now());
    const manufacturer = customers.get("Sample Textiles")?.organisationId ?? "";
    await insertEngines(services, transaction, manufacturer);
    await insertCoverage(transaction, services.now(), manufacturer);
    await insertIncidents(services, transaction, manufacturer);
    await insertOnboardings(services, transaction, manufacturer);
    await insertServiceReports(services, transaction, manufacturer);
  });
}

/** Polled, because another copy may fill the demo for longer than a single statement may take. */
async function takesTurn(transaction: Transaction): Promise<boolean> {
  const { rows } = await transaction.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(72177246) as taken`,
  );
  return rows[0]?.taken === true;
}

/**
 * Lets the demo show a company number, exports, supplies to special economic zones and e-invoices; the sample brand
 * marks them.
 */
async function insertSeller(transaction: Transaction, now: Date): Promise<void> {
  const [administrator] = await transaction.select({ id: people.id }).from(people).where(eq(people.role, "admin"));
  await transaction.insert(siteTexts).values({
    section: "seller",
    version: 1,
    savedBy: administrator?.id,
    content: {
      cin: "U62099KA2024PTC000000",
      undertaking: { number: "SAMPLE-LUT", validFrom: "2020-04-01", validTo: "2099-03-31" },
      roundToRupee: false,
      bank: {
        accountName: "SAMPLE: nobody's account",
        accountNumber: "000000000000",
        ifsc: "SMPL0000000",
        bankName: "Sample bank, pay nothing here",
      },
      creditDays: 30,
      deductions: [
        { section: "SAMPLE 10%", percent: 10, validFrom: "2020-04-01" },
        { section: "SAMPLE 2%", percent: 2, validFrom: "2020-04-01" },
      ],
      // What the demo has sold before stays as it was.
      eInvoices: { from: writtenDay(now), place: "Bengaluru", pinCode: "560025" },
      retention: {
        place: "SAMPLE: no data centre, Mumbai, India",
        clock: "SAMPLE: NTP of the National Physical Laboratory, India",
        signatory: "SAMPLE: nobody",
        designation: "Head of the security operations centre",
      },
    },
  });
}

/**
 * Sample customers, sample invoices and published passwords must not mix with real data. In an embedded database an
 * administrator may be made before the first demo; that counts as use only once they have done something.
 */
async function refuseUsed(transaction: Transaction, { databaseUrl }: Services["env"]): Promise<void> {
  const owners = databaseUrl ? sql`select from people` : sql`select from people where role <> 'admin'`;
  const { rows } = await transaction.execute<{ used: boolean }>(sql`
    select exists (${owners})
      or exists (select from audit_entries where actor_id is not null)
      or exists (select from quotes)
      or exists (select from orders)
      or exists (select from leads) as used`);
  if (rows[0]?.used)
    throw new StartRefused(
      "The database is in use: demo mode would put sample data and published passwords among what is in it. Set DEMO=0 and start again, or give the demo another DATA_DIR or DATABASE_URL.",
    );
}
