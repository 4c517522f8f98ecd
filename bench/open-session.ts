import { randomUUID } from "node:crypto";
import type { Role } from "../contract/roles.ts";
import { organisations, people, sessions } from "../server/database/schema/index.ts";
import { signSessionToken } from "../server/protection/tokens.ts";
import type { BenchedProduct } from "./measure.ts";

/** Signs in a new person. Answers the session token. */
export async function openSession(
  { database, tokenSecret }: BenchedProduct,
  role: Extract<Role, "user" | "admin">,
): Promise<string> {
  const kind = role === "admin" ? "provider" : "customer";
  const [home] = await database
    .insert(organisations)
    .values({ kind, name: "Kaveri Textiles" })
    .returning({ id: organisations.id });
  const ids = { person: randomUUID(), session: randomUUID() };
  const email = `${role}@example.in`;
  const expiresAt = new Date(Date.now() + 3_600_000);
  await database.insert(people).values({
    id: ids.person,
    organisationId: home?.id ?? "",
    role,
    firstName: "Asha",
    lastName: "Rao",
    email,
    phone: "+919876543210",
    passwordHash: "none",
    joinedAt: new Date(),
  });
  await database.insert(sessions).values({ id: ids.session, personId: ids.person, expiresAt });
  const claims = { role, email, sub: ids.person, sid: ids.session };
  return signSessionToken(tokenSecret, { ...claims, exp: Math.floor(expiresAt.getTime() / 1000) }, new Date());
}
