import { and, eq, gt, isNull } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import type { Transaction } from "../database/database.ts";
import { singleUseLinks } from "../database/schema/index.ts";
import { Failure } from "../errors.ts";
import type { Services } from "../services.ts";
import { lockPerson, type Person } from "./queries.ts";

export type LinkPurpose = "invite" | "reset";

const purposes = {
  invite: { page: "accept-invite", minutes: limits.inviteHours * 60 },
  reset: { page: "reset-password", minutes: limits.resetMinutes },
} as const;

/**
 * Makes a single-use link and voids the earlier ones of its purpose.
 * The secret stands in the fragment, which browsers keep to themselves: it reaches no log.
 */
export async function makeLink(services: Services, transaction: Transaction, personId: string, purpose: LinkPurpose) {
  const { page, minutes } = purposes[purpose];
  const secret = randomBytes(32).toString("base64url");
  const expiresAt = new Date(services.now().getTime() + minutes * 60_000);
  await transaction
    .delete(singleUseLinks)
    .where(
      and(eq(singleUseLinks.personId, personId), eq(singleUseLinks.purpose, purpose), isNull(singleUseLinks.usedAt)),
    );
  const [made] = await transaction
    .insert(singleUseLinks)
    .values({ personId, purpose, secretHash: hashSecret(secret), expiresAt })
    .returning({ id: singleUseLinks.id });
  return { id: made?.id ?? "", link: `${services.publicUrl}/${page}#token=${secret}`, expiresAt };
}

/**
 * Uses up a link; of two at once one wins. Answers whose it is, locked.
 * @throws Failure invalid when it is unknown, expired or used, or its person suspended.
 */
export async function useLink(
  services: Services,
  transaction: Transaction,
  secret: string,
  purpose: LinkPurpose,
): Promise<Person> {
  const now = services.now();
  const whole = and(
    eq(singleUseLinks.secretHash, hashSecret(secret)),
    eq(singleUseLinks.purpose, purpose),
    isNull(singleUseLinks.usedAt),
    gt(singleUseLinks.expiresAt, now),
  );
  const [found] = await transaction.select({ personId: singleUseLinks.personId }).from(singleUseLinks).where(whole);
  const person = found && (await lockPerson(transaction, found.personId));
  const used = await transaction.update(singleUseLinks).set({ usedAt: now }).where(whole);
  if (person && !person.suspendedAt && used.rowCount === 1) return person;
  services.log.warn({ event: "link refused", purpose });
  const sentence = "This link has expired or was already used. Please ask for a new one.";
  throw new Failure("invalid", sentence, { fields: { token: sentence } });
}

/** The secret has 256 random bits: a plain hash keeps it unreadable. */
const hashSecret = (secret: string) => createHash("sha256").update(secret).digest("base64url");
