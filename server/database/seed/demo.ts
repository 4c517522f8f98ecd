import { sql } from "drizzle-orm";
import { hashPassword } from "../../accounts/passwords.ts";
import { limits } from "../../../contract/limits.ts";
import type { SelectedDevice } from "../../../contract/quotes.ts";
import { areaOf, type Role } from "../../../contract/roles.ts";
import { priceDevices } from "../../quotes/pricing.ts";
import { currentRateCard } from "../../quotes/rate-card.ts";
import type { Services } from "../../services.ts";
import type { Transaction } from "../database.ts";
import { customerTools, mails, organisations, people, quotes, seedings } from "../schema/index.ts";

const demoPassword = "sentinel demo 2026";
const domain = "demo.example";

const demoPeople: { role: Role; firstName: string; lastName: string }[] = [
  { role: "user", firstName: "Asha", lastName: "Rao" },
  { role: "userChild", firstName: "Vikram", lastName: "Shetty" },
  { role: "partner", firstName: "Farah", lastName: "Khan" },
  { role: "partnerChild", firstName: "Joseph", lastName: "Mathew" },
  { role: "admin", firstName: "Meera", lastName: "Iyer" },
  { role: "adminChild", firstName: "Rohan", lastName: "Das" },
];

/** Who can sign in to a demo; these accounts exist in demo mode only. */
export const demoSignIns = demoPeople.map(({ role, firstName }) => ({
  role,
  email: `${firstName.toLowerCase()}@${domain}`,
  password: demoPassword,
}));

/** Fills a demo once, whatever number of copies starts; everything in it is marked as sample. */
export async function seedDemo(services: Services): Promise<void> {
  const [done] = await services.database.select().from(seedings);
  if (done) return;
  const passwordHash = await hashPassword(demoPassword);
  await services.database.transaction(async (transaction) => {
    await transaction.execute(sql`select pg_advisory_xact_lock(72177246)`);
    const [first] = await transaction.insert(seedings).values({ name: "demo" }).onConflictDoNothing().returning();
    if (!first) return;
    const homes = await insertOrganisations(transaction);
    await insertPeople(transaction, homes, passwordHash);
    await insertTools(transaction, homes.user);
    await insertQuotes(services, transaction, homes.user);
  });
}

type Homes = Record<"user" | "partner" | "admin", string>;

async function insertOrganisations(transaction: Transaction): Promise<Homes> {
  const insert = async (kind: "customer" | "partner" | "provider", name: string, partnerId?: string) => {
    const [made] = await transaction
      .insert(organisations)
      .values({ kind, name, partnerId })
      .returning({ id: organisations.id });
    return made?.id ?? "";
  };
  const admin = await insert("provider", "Sample Provider");
  const partner = await insert("partner", "Sample Partner Networks");
  const user = await insert("customer", "Sample Textiles", partner);
  await insert("customer", "Sample Logistics", partner);
  return { user, partner, admin };
}

async function insertPeople(transaction: Transaction, homes: Homes, passwordHash: string): Promise<void> {
  await transaction.insert(people).values(
    demoPeople.map(({ role, firstName, lastName }, index) => ({
      organisationId: homes[areaOf(role)],
      role,
      firstName,
      lastName,
      email: `${firstName.toLowerCase()}@${domain}`,
      phone: `+91800000010${index}`,
      passwordHash,
      emailVerifiedAt: new Date(),
    })),
  );
}

async function insertTools(transaction: Transaction, organisationId: string): Promise<void> {
  await transaction.insert(customerTools).values({
    organisationId,
    siemUrl: `https://siem.${domain}/sample-textiles`,
    siemEnabled: true,
    soarUrl: `https://soar.${domain}/sample-textiles`,
    soarEnabled: true,
  });
}

const demoEstimates: { daysAgo: number; users: number; message: string; devices: SelectedDevice[] }[] = [
  {
    daysAgo: 45,
    users: 80,
    message: "Sample: our first office only.",
    devices: [{ service: "Server", deviceType: "Prod Server", number: 6 }],
  },
  {
    daysAgo: 3,
    users: 140,
    message: "Sample: two plants and a head office, with the cloud accounts.",
    devices: [
      { service: "Server", deviceType: "Prod Server", number: 24 },
      { service: "Network & Security Solutions", deviceType: "Firewall", number: 4 },
      { service: "Cloud", deviceType: "AWS", number: 18 },
      { service: "Other", deviceType: "Workstation", number: 120 },
    ],
  },
  {
    daysAgo: 1,
    users: 140,
    message: "Sample: the same with our SCADA gateways.",
    devices: [
      { service: "Server", deviceType: "Prod Server", number: 24 },
      { service: "Customization", deviceType: "SCADA gateway", number: 3 },
    ],
  },
];

/** Their proposals are rendered like any other; the mail of each counts as sent. */
async function insertQuotes(services: Services, transaction: Transaction, organisationId: string): Promise<void> {
  const card = await currentRateCard(services.database);
  for (const { daysAgo, users, message, devices } of demoEstimates) {
    const createdAt = new Date(services.now().getTime() - daysAgo * 24 * 3_600_000);
    const [quote] = await transaction
      .insert(quotes)
      .values({
        ...priceDevices(card, devices),
        organisationId,
        organizationName: "Sample Textiles",
        userName: "Asha Rao",
        userEmail: `asha@${domain}`,
        phoneNumber: "+918000000100",
        numberOfUsers: users,
        message,
        rateCardId: card.id,
        sampleRates: card.isSample,
        createdAt,
        validUntil: new Date(createdAt.getTime() + limits.quoteValidDays * 24 * 3_600_000),
      })
      .returning({ id: quotes.id });
    const id = quote?.id ?? "";
    await transaction
      .insert(mails)
      .values({ eventKey: `proposal:${id}`, recipient: `asha@${domain}`, attachments: [], sentAt: services.now() });
    await services.jobs.add(transaction, "render-proposal", { quoteId: id });
  }
}
