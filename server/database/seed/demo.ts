import { eq, sql } from "drizzle-orm";
import { demoPassword } from "../../accounts/demo-password.ts";
import { hashPassword } from "../../accounts/passwords.ts";
import type { Services } from "../../services.ts";
import { seedings } from "../schema/index.ts";
import { demoPeople, domain, insertCustomers } from "./demo-customers.ts";
import { insertBusiness } from "./demo-orders.ts";

/** Who can sign in to a demo; these accounts exist in demo mode only. */
export const demoSignIns = demoPeople.map(({ role, firstName }) => ({
  role,
  email: `${firstName.toLowerCase()}@${domain}`,
  password: demoPassword,
}));

/** Fills a demo once, whatever number of copies starts; everything in it is marked as sample. */
export async function seedDemo(services: Services): Promise<void> {
  const [done] = await services.database.select().from(seedings).where(eq(seedings.name, "demo"));
  if (done) return;
  const passwordHash = await hashPassword(demoPassword);
  await services.database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(72177246)`);
    const [first] = await transaction.insert(seedings).values({ name: "demo" }).onConflictDoNothing().returning();
    if (!first) return;
    const customers = await insertCustomers(transaction, services.now(), passwordHash);
    await insertBusiness(services, transaction, customers);
  });
}
