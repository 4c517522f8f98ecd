import { and, eq, gt, isNotNull, isNull } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { messages } from "../../contract/messages.ts";
import { later } from "../../contract/durations.ts";
import type { Call } from "../call.ts";
import type { Database, Transaction } from "../database/database.ts";
import { people, singleUseLinks, withdrawnLinks } from "../database/schema/index.ts";
import { type Failure, invalidField } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { findPerson, lockPerson, type Person } from "./queries.ts";

export type LinkPurpose = "invite" | "reset";

const purposes = {
  invite: { page: "accept-invite", minutes: limits.inviteHours * 60 },
  reset: { page: "reset-password", minutes: limits.resetMinutes },
} as const;

/**
 * Makes a single-use link. A new invitation voids the earlier one; password reset links stay good beside each other, so
 * that nobody can void the owner's by requesting another. The secret is in the fragment, which browsers don't send: it
 * reaches no log.
 */
export async function makeLink(services: Services, transaction: Transaction, personId: string, purpose: LinkPurpose) {
  const { page, minutes } = purposes[purpose];
  const { secret, secretHash } = newSecret();
  const expiresAt = later(services.now(), { minutes });
  if (purpose === "invite") await transaction.delete(singleUseLinks).where(openLinks(personId, purpose));
  const [made] = await transaction
    .insert(singleUseLinks)
    .values({ personId, purpose, secretHash, expiresAt })
    .returning({ id: singleUseLinks.id });
  return { id: made?.id ?? "", link: `${services.publicUrl}/${page}#token=${secret}`, expiresAt };
}

/** How many links of a purpose a person has that are still good at `at`. */
export const countLinks = (transaction: Transaction, personId: string, purpose: LinkPurpose, at: Date) =>
  transaction.$count(singleUseLinks, and(openLinks(personId, purpose), gt(singleUseLinks.expiresAt, at)));

const openLinks = (personId: string, purpose: LinkPurpose) =>
  and(eq(singleUseLinks.personId, personId), eq(singleUseLinks.purpose, purpose), isNull(singleUseLinks.usedAt));

/**
 * Finds the person of a link. Only misses count against the address, so that a good link works whoever else guesses
 * from there.
 * @throws Failure invalid when it is unknown, expired or used, or its person may not enter; too_many_requests
 */
export async function readLink(services: Services, call: Call, secret: string, purpose: LinkPurpose): Promise<Person> {
  const { database, limiter } = services;
  const [found] = await database
    .select({ personId: singleUseLinks.personId })
    .from(singleUseLinks)
    .where(goodLink(services, secret, purpose));
  const person = found && (await findPerson(database, found.personId));
  if (person?.mayEnter) return person;
  await limiter.consume("linkByAddress", call.address);
  if (await wasWithdrawn(services, secret)) throw refusedToken(messages.invitationTakenBack);
  throw await refusalOf(services, call, database, secret, purpose);
}

/** Remembers the open links of a withdrawn invitation, so that opening one says so. */
export async function noteWithdrawn(transaction: Transaction, personId: string, at: Date): Promise<void> {
  const open = await transaction
    .select({ secretHash: singleUseLinks.secretHash })
    .from(singleUseLinks)
    .where(openLinks(personId, "invite"));
  if (open.length > 0)
    await transaction
      .insert(withdrawnLinks)
      .values(open.map(({ secretHash }) => ({ secretHash, withdrawnAt: at })))
      .onConflictDoNothing();
}

const wasWithdrawn = async ({ database }: Services, secret: string) =>
  (await database.$count(withdrawnLinks, eq(withdrawnLinks.secretHash, hashSecret(secret)))) === 1;

/** Uses up a link and returns its person, locked; of two concurrent uses one wins. @throws Failure invalid */
export async function redeemLink(
  services: Services,
  call: Call,
  transaction: Transaction,
  secret: string,
  purpose: LinkPurpose,
): Promise<Person> {
  const good = goodLink(services, secret, purpose);
  const [found] = await transaction.select({ personId: singleUseLinks.personId }).from(singleUseLinks).where(good);
  const person = found && (await lockPerson(transaction, found.personId));
  const used = await transaction.update(singleUseLinks).set({ usedAt: services.now() }).where(good);
  if (person?.mayEnter && used.rowCount === 1) return person;
  throw await refusalOf(services, call, transaction, secret, purpose);
}

/** If a used link has accepted its invitation, says so: the answer to that acceptance may have been lost. */
async function refusalOf(
  services: Services,
  call: Call,
  database: Database | Transaction,
  secret: string,
  purpose: LinkPurpose,
): Promise<Failure> {
  const accepted = purpose === "invite" && (await wasAccepted(database, secret));
  return accepted ? refusedToken(messages.invitationAccepted) : refuseLink(services, call, purpose);
}

async function wasAccepted(database: Database | Transaction, secret: string): Promise<boolean> {
  const [used] = await database
    .select({ id: people.id })
    .from(singleUseLinks)
    .innerJoin(people, eq(people.id, singleUseLinks.personId))
    .where(
      and(
        eq(singleUseLinks.secretHash, hashSecret(secret)),
        eq(singleUseLinks.purpose, "invite"),
        isNotNull(singleUseLinks.usedAt),
        isNotNull(people.joinedAt),
        isNull(people.erasedAt),
      ),
    );
  return used !== undefined;
}

const goodLink = ({ now }: Services, secret: string, purpose: LinkPurpose) =>
  and(
    eq(singleUseLinks.secretHash, hashSecret(secret)),
    eq(singleUseLinks.purpose, purpose),
    isNull(singleUseLinks.usedAt),
    gt(singleUseLinks.expiresAt, now()),
  );

export function refuseLink({ log }: Services, { address }: Call, purpose: LinkPurpose): Failure {
  log.warn({ event: "link refused", purpose, address });
  return refusedToken("This link has expired or was already used. Please ask for a new one.");
}

export const refusedToken = (sentence: string) => invalidField("token", sentence);

/** A link's secret, and the hash that is stored of it. */
export function newSecret() {
  const secret = randomBytes(32).toString("base64url");
  return { secret, secretHash: hashSecret(secret) };
}

/** The secret has 256 random bits, so a plain hash is enough. */
export const hashSecret = (secret: string) => createHash("sha256").update(secret).digest("base64url");
