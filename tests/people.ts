import { randomUUID } from "node:crypto";
import { limits } from "../contract/limits.ts";
import type { OperationName } from "../contract/operations.ts";
import { type Area, areaOf, type Role } from "../contract/roles.ts";
import { organisations, people, sessions } from "../server/database/schema/index.ts";
import { authorise, readBearer } from "../server/http/authenticate.ts";
import { signSessionToken } from "../server/protection/tokens.ts";
import type { TestServer } from "./harness.ts";

/** What is needed to insert people into the database. */
interface Books {
  services: Pick<TestServer["services"], "database" | "now"> & {
    env: Pick<TestServer["services"]["env"], "tokenSecret">;
  };
}

const kinds = { user: "customer", partner: "partner", admin: "provider" } as const satisfies Record<Area, string>;

/** Inserts an organisation for a role; a customer may have a partner. Answers its id. */
export async function organisation({ services }: Books, role: Role, name = "Kaveri Textiles", partnerId?: string) {
  const [made] = await services.database
    .insert(organisations)
    .values({ kind: kinds[areaOf(role)], name, partnerId })
    .returning({ id: organisations.id });
  return made?.id ?? "";
}

export interface Member {
  id: string;
  organisationId: string;
  email: string;
  /** A session token; its session is in the database like any other. */
  token: string;
}

/** A signed-in person of any role, made without password and mail, in a new organisation unless one is given. */
export async function member(
  server: Books,
  role: Role,
  over: Partial<typeof people.$inferInsert> & { organizationName?: string; partnerId?: string } = {},
): Promise<Member> {
  const { database, env, now } = server.services;
  const { organizationName, partnerId, ...fields } = over;
  const organisationId = over.organisationId ?? (await organisation(server, role, organizationName, partnerId));
  // Short enough that a customer's e-mail fits on one line of a document: in a broken word, pdf.js may lose a letter
  // that pdftotext reads.
  const email = over.email ?? `${role.toLowerCase()}-${randomUUID().slice(0, 7)}@example.in`;
  const ids = { person: randomUUID(), session: randomUUID() };
  const expiresAt = new Date(now().getTime() + limits.sessionHours * 3_600_000);
  await database.insert(people).values({
    id: ids.person,
    role,
    firstName: "Asha",
    lastName: "Rao",
    phone: "+919876543210",
    passwordHash: "none",
    joinedAt: now(),
    emailVerifiedAt: now(),
    registered: role === "user",
    ...fields,
    organisationId,
    email,
  });
  await database.insert(sessions).values({ id: ids.session, personId: ids.person, expiresAt });
  const claims = { role, email, sub: ids.person, sid: ids.session, exp: Math.floor(expiresAt.getTime() / 1000) };
  return { id: ids.person, organisationId, email, token: await signSessionToken(env.tokenSecret, claims, now()) };
}

/** A person's scope for an operation, made as for a call. */
export async function scopeFor<Name extends OperationName>({ services }: TestServer, name: Name, { token }: Member) {
  const bearer = await readBearer(services, name, `Bearer ${token}`);
  return (await authorise(services, name, bearer)).scope;
}
