import { sql } from "drizzle-orm";
import type { ObligationWords } from "../../contract/obligation-kinds.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { obligationVersions } from "../database/schema/index.ts";
import { Failure, invalidFields, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { type HeldObligation, presentObligation, readVersions } from "./held-obligations.ts";

/**
 * Writes a new obligation, or the next version of one; nobody has verified it yet. A null version means that the
 * obligation is new.
 * @throws Failure conflict if another version is current
 */
export async function writeObligation(
  services: Services,
  { actor }: Scope<"any">,
  { key, version, words }: { key: string; version: number | null; words: ObligationWords },
): Promise<void> {
  refuseBackwards(words);
  await services.database.transaction(async (transaction) => {
    const current = await lockCurrent(transaction, key);
    if ((current?.version ?? null) !== version) throw overtaken(version === null);
    await transaction.insert(obligationVersions).values({
      key,
      version: (current?.version ?? 0) + 1,
      words,
      madeBy: actor.personId,
      createdAt: services.now(),
    });
    await audit(transaction, actor.personId, current ? "change obligation" : "add obligation", `obligation:${key}`, {
      ...(current && { before: told(presentObligation(current).words) }),
      after: told(words),
    });
  });
}

/**
 * Records, as a new version, that the caller vouches by name for an obligation's words, or no longer does.
 * @throws Failure not_found; conflict if another version is current
 */
export async function verifyObligation(
  services: Services,
  { actor }: Scope<"any">,
  { key, version, verified }: { key: string; version: number; verified: boolean },
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const current = await lockCurrent(transaction, key);
    if (!current) throw notFound("This obligation");
    if (current.version !== version) throw overtaken(false);
    if ((current.verified !== null) === verified) return;
    await transaction.insert(obligationVersions).values({
      key,
      version: version + 1,
      words: presentObligation(current).words,
      madeBy: actor.personId,
      createdAt: services.now(),
      ...(verified && { verifiedBy: actor.personId, verifiedAt: services.now() }),
    });
    const action = verified ? "verify obligation" : "take back verification";
    await audit(transaction, actor.personId, action, `obligation:${key}`, { version });
  });
}

/** Serialises concurrent changes of one obligation. */
async function lockCurrent(transaction: Transaction, key: string): Promise<HeldObligation | undefined> {
  await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`obligation:${key}`}, 0))`);
  return (await readVersions(transaction, key))[0];
}

const overtaken = (isNew: boolean) =>
  new Failure(
    "conflict",
    isNew
      ? "There is an obligation with this key already. Please choose another one."
      : "Somebody else changed this obligation meanwhile. Please look at what is saved now.",
  );

function refuseBackwards({ validFrom, validTo }: ObligationWords): void {
  if (validFrom === null || validTo === null || validFrom <= validTo) return;
  throw invalidFields({ validTo: "The last day can't come before the first" });
}

/** For the audit: the fields that decide clocks. */
const told = ({ on, title, deadline, classes, validFrom, validTo, confidence, source }: ObligationWords) => ({
  on,
  title,
  deadline: JSON.stringify(deadline),
  classes: classes.join(", "),
  validFrom,
  validTo,
  confidence,
  source,
});
