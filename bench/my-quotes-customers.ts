import { randomUUID } from "node:crypto";
import { organisations, people, quotes, sessions } from "../server/database/schema/index.ts";
import { signSessionToken } from "../server/protection/tokens.ts";
import { priceDevices } from "../server/rates/pricing.ts";
import { currentRateCard } from "../server/rates/rate-card.ts";
import type { BenchedProduct } from "./measure.ts";

export interface SignedInCustomer {
  sessionId: string;
  token: string;
}

/** Inserts this many customers, each in an organisation of its own with 40 quotes. */
export async function insertCustomers(benched: BenchedProduct, count: number): Promise<SignedInCustomer[]> {
  const customers: SignedInCustomer[] = [];
  for (let serial = 0; serial < count; serial++) customers.push(await insertCustomer(benched, serial));
  await benched.database.execute("vacuum analyze");
  return customers;
}

async function insertCustomer({ database, tokenSecret }: BenchedProduct, serial: number): Promise<SignedInCustomer> {
  const card = await currentRateCard({ database, now: () => new Date() });
  const ids = { organisation: randomUUID(), person: randomUUID(), session: randomUUID() };
  const now = new Date();
  const later = new Date(now.getTime() + 3_600_000);
  const email = `asha.rao.${serial}@example.in`;
  const role = "user";
  await database.insert(organisations).values({ id: ids.organisation, kind: "customer", name: "Kaveri Textiles" });
  await database.insert(people).values({
    id: ids.person,
    organisationId: ids.organisation,
    role,
    firstName: "Asha",
    lastName: "Rao",
    email,
    phone: "+919876543210",
    joinedAt: now,
  });
  await database.insert(sessions).values({ id: ids.session, personId: ids.person, expiresAt: later });
  await database.insert(quotes).values(
    Array.from({ length: 40 }, (_, index) => ({
      ...priceDevices(card, [{ service: "Server", deviceType: "Prod Server", number: index + 1 }]),
      organisationId: ids.organisation,
      organizationName: "Kaveri Textiles",
      userName: "Asha Rao",
      userEmail: email,
      phoneNumber: "+919876543210",
      numberOfUsers: 120 + index,
      message: "Two plants and a head office.",
      rateCardId: card.id,
      sampleRates: true,
      proposalFile: `proposal-${serial}-${index}.pdf`,
      validUntil: later,
    })),
  );
  const claims = { role, email, sub: ids.person, sid: ids.session, exp: Math.floor(later.getTime() / 1000) } as const;
  return { sessionId: ids.session, token: await signSessionToken(tokenSecret, claims, now) };
}
