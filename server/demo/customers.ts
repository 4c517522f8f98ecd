import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { type Area, areaOf, childOf, type Role, roles } from "../../contract/roles.ts";
import { earlier, later } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { customerTools, organisations, people } from "../database/schema/index.ts";

export const domain = "demo.example";

interface DemoName {
  firstName: string;
  lastName: string;
}

/** The people who can sign in, one per role; the demo's other people have no password. */
const namesOfDemo: Record<Role, DemoName> = {
  user: { firstName: "Asha", lastName: "Rao" },
  userChild: { firstName: "Vikram", lastName: "Shetty" },
  partner: { firstName: "Farah", lastName: "Khan" },
  partnerChild: { firstName: "Joseph", lastName: "Mathew" },
  admin: { firstName: "Meera", lastName: "Iyer" },
  adminChild: { firstName: "Rohan", lastName: "Das" },
};
export const demoPeople = roles.map((role) => ({ role, ...namesOfDemo[role] }));

interface DemoOrganisation extends DemoName {
  name: string;
  /** If it is missing, the customer is asked for it before paying. */
  billing?: Partial<typeof organisations.$inferInsert>;
  /** Name of its partner. */
  partner?: string;
  daysAgo: number;
  tools?: "both" | "siem" | "off";
}

const partnersOfDemo: DemoOrganisation[] = [
  { name: "Sample Partner Networks", firstName: "Farah", lastName: "Khan", daysAgo: 400 },
  { name: "Sample Reseller West", firstName: "Dinesh", lastName: "Patil", daysAgo: 210 },
];
const [networks, west] = ["Sample Partner Networks", "Sample Reseller West"];

/** GSTINs with a valid check digit that belong to nobody, as the letters of their PANs show. */
const billing = {
  karnataka: {
    billingKind: "registered",
    gstin: "29SAMPL0000E1ZQ",
    billingAddress: "Sample address, Bengaluru",
    pinCode: "560001",
    billingState: "29",
  },
  kerala: {
    billingKind: "registered",
    gstin: "32SAMPL0000E1Z3",
    billingAddress: "Sample address, Kochi",
    pinCode: "682001",
    billingState: "32",
  },
  unregistered: {
    billingKind: "unregistered",
    billingAddress: "Sample address, Mysuru",
    pinCode: "570001",
    billingState: "29",
  },
  zone: {
    billingKind: "sez",
    gstin: "27SAMPL0000E1ZU",
    billingAddress: "Sample address, Special Economic Zone, Pune",
    pinCode: "411001",
    billingState: "27",
    undertaking: { number: "SAMPLE-LUT-1", date: "2020-04-01", validTo: "2099-03-31" },
  },
  abroad: { billingKind: "abroad", billingAddress: "Sample address, Dubai", billingCountry: "AE" },
} as const satisfies Record<string, DemoOrganisation["billing"]>;

/** Oldest first, so that lists show the newest on top. */
const customersOfDemo: DemoOrganisation[] = [
  {
    name: "Sample Textiles",
    firstName: "Asha",
    lastName: "Rao",
    partner: networks,
    daysAgo: 380,
    tools: "both",
    billing: billing.karnataka,
  },
  {
    name: "Sample Logistics",
    firstName: "Nikhil",
    lastName: "Sen",
    partner: networks,
    daysAgo: 350,
    tools: "both",
    billing: billing.kerala,
  },
  {
    name: "Sample Hospitals",
    firstName: "Lakshmi",
    lastName: "Menon",
    daysAgo: 330,
    tools: "both",
    billing: billing.unregistered,
  },
  {
    name: "Sample Foods",
    firstName: "Imran",
    lastName: "Qureshi",
    partner: networks,
    daysAgo: 290,
    tools: "siem",
    billing: billing.karnataka,
  },
  { name: "Sample Steel", firstName: "Kavita", lastName: "Joshi", daysAgo: 250, tools: "both", billing: billing.zone },
  {
    name: "Sample Insurance",
    firstName: "Thomas",
    lastName: "George",
    daysAgo: 225,
    tools: "siem",
    billing: billing.kerala,
  },
  {
    name: "Sample Pharma",
    firstName: "Sunita",
    lastName: "Deshmukh",
    partner: west,
    daysAgo: 190,
    tools: "both",
    billing: billing.zone,
  },
  { name: "Sample Schools", firstName: "Harpreet", lastName: "Gill", daysAgo: 160, tools: "off" },
  { name: "Sample Software", firstName: "Ananya", lastName: "Bose", partner: networks, daysAgo: 130, tools: "both" },
  { name: "Sample Motors", firstName: "Arjun", lastName: "Reddy", partner: west, daysAgo: 95 },
  { name: "Sample Hotels", firstName: "Maria", lastName: "Fernandes", daysAgo: 70 },
  { name: "Sample Credit Union", firstName: "Ritu", lastName: "Agarwal", partner: networks, daysAgo: 40 },
  { name: "Sample Retail", firstName: "Pooja", lastName: "Chauhan", partner: networks, daysAgo: 12 },
  { name: "Sample Shipping الخليج", firstName: "يوسف", lastName: "الهاشمي", daysAgo: 5, billing: billing.abroad },
];

/** The first person of a customer, who owns its quotes and orders. */
export interface DemoCustomer {
  personId: string;
  organisationId: string;
  organizationName: string;
  userName: string;
  userEmail: string;
  phoneNumber: string;
}

/** Makes the organisations with their people and tools. Returns the customers by name. */
export async function insertCustomers(
  transaction: Transaction,
  now: Date,
  passwordHash: string,
): Promise<Map<string, DemoCustomer>> {
  const [provider] = await transaction
    .insert(organisations)
    .values({ kind: "provider", name: "Sample Provider" })
    .returning({ id: organisations.id });
  const partners = new Map<string, string>();
  for (const partner of partnersOfDemo)
    partners.set(partner.name, (await insertOrganisation(transaction, now, partner, "partner")).organisationId);
  const customers = new Map<string, DemoCustomer>();
  for (const each of customersOfDemo) {
    const partnerId = partners.get(each.partner ?? "");
    const customer = await insertOrganisation(transaction, now, each, "customer", partnerId);
    customers.set(each.name, customer);
    if (each.tools) await insertTools(transaction, customer, each.tools);
  }
  const homes = {
    user: customers.get("Sample Textiles")?.organisationId ?? "",
    partner: partners.get("Sample Partner Networks") ?? "",
    admin: provider?.id ?? "",
  };
  await insertSignIns(transaction, homes, passwordHash);
  return customers;
}

async function insertOrganisation(
  transaction: Transaction,
  now: Date,
  { name, firstName, lastName, daysAgo, billing: given }: DemoOrganisation,
  kind: "customer" | "partner",
  partnerId?: string,
): Promise<DemoCustomer> {
  const createdAt = earlier(now, { days: daysAgo });
  const [organisation] = await transaction
    .insert(organisations)
    .values({
      kind,
      name,
      partnerId,
      createdAt,
      ...(given && { legalName: name, billingCountry: "IN", ...given, pan: given.gstin?.slice(2, 12) ?? null }),
    })
    .returning({ id: organisations.id });
  const organisationId = organisation?.id ?? "";
  const latin = /^[a-z]+$/i.test(firstName) ? firstName : "yusuf";
  const userEmail = `${latin.toLowerCase()}@${domain}`;
  const phoneNumber = `+91800000${String(1000 + daysAgo).padStart(4, "0")}`;
  const role = kind === "customer" ? "user" : "partner";
  const [person] = await transaction
    .insert(people)
    .values({
      organisationId,
      role,
      firstName,
      lastName,
      email: userEmail,
      phone: phoneNumber,
      createdAt,
      joinedAt: createdAt,
      // People without a verified e-mail are deleted after a while (contract/retention.ts).
      emailVerifiedAt: createdAt,
    })
    .returning({ id: people.id });
  const userName = `${firstName} ${lastName}`;
  return { personId: person?.id ?? "", organisationId, organizationName: name, userName, userEmail, phoneNumber };
}

async function insertTools(
  transaction: Transaction,
  { organisationId, organizationName }: DemoCustomer,
  tools: "both" | "siem" | "off",
): Promise<void> {
  const path = organizationName.toLowerCase().replaceAll(" ", "-");
  await transaction.insert(customerTools).values({
    organisationId,
    ...(tools !== "off" && { siemUrl: `https://siem.${domain}/${path}`, siemEnabled: true }),
    ...(tools === "both" && { soarUrl: `https://soar.${domain}/${path}`, soarEnabled: true }),
  });
}

/** Sets the password of the people who can sign in, and gives each area a child account with an open invitation. */
async function insertSignIns(
  transaction: Transaction,
  homes: Record<Area, string>,
  passwordHash: string,
): Promise<void> {
  const emailOf = (firstName: string) => `${firstName.toLowerCase()}@${domain}`;
  const now = new Date();
  const known = { passwordHash, emailVerifiedAt: now, joinedAt: now };
  for (const [index, { role, firstName, lastName }] of demoPeople.entries()) {
    const email = emailOf(firstName);
    const updated = await transaction.update(people).set(known).where(eq(people.email, email)).returning();
    const organisationId = homes[areaOf(role)];
    const person = { organisationId, role, firstName, lastName, email, phone: `+91800000010${index}` };
    if (updated.length === 0) await transaction.insert(people).values({ ...person, ...known });
  }
  await transaction.insert(people).values([
    { ...invited("Nisha", "Kulkarni"), organisationId: homes.user, role: childOf.user },
    { ...invited("Omar", "Siddiqui"), organisationId: homes.partner, role: childOf.partner },
    { ...invited("Tara", "Pillai"), organisationId: homes.admin, role: childOf.admin },
  ]);
}

const invited = (firstName: string, lastName: string) => ({
  firstName,
  lastName,
  email: `${firstName.toLowerCase()}@${domain}`,
  phone: "+918000000199",
  invitedUntil: later(new Date(), { hours: limits.inviteHours }),
});
