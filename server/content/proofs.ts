import { asc, eq, sql } from "drizzle-orm";
import { indiaCalendar } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { contentMessages } from "../../contract/content-messages.ts";
import { messages } from "../../contract/messages.ts";
import type { NewProof, Proof, ShownProof } from "../../contract/proofs.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { proofs } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type ProofRow = typeof proofs.$inferSelect;

/** The proofs that visitors see, in order: those whose last day in India has not passed. */
export async function listShownProofs({ database, now }: Services): Promise<ShownProof[]> {
  const rows = await database.select().from(proofs).orderBy(asc(proofs.place), asc(proofs.id));
  return rows.filter((row) => !isExpired(row, now())).map(presentProof);
}

/** All proofs in order, including expired ones. */
export async function listProofs({ database, now }: Services, _scope: Scope<"any">): Promise<Proof[]> {
  const rows = await database.select().from(proofs).orderBy(asc(proofs.place), asc(proofs.id));
  return rows.map((row) => ({ ...presentProof(row), expired: isExpired(row, now()), version: row.version }));
}

/**
 * Adds a proof at the end, visible at once unless expired, and returns its id.
 * @throws Failure conflict when there are too many
 */
export async function addProof(services: Services, { actor }: Scope<"any">, proof: NewProof): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const all = await lockProofs(transaction);
    if (all.length >= limits.proofsMax)
      throw new Failure("conflict", `There are ${limits.proofsMax} already. Please remove one first.`);
    const place = Math.max(0, ...all.map((each) => each.place)) + 1;
    const [made] = await transaction
      .insert(proofs)
      .values({ ...proof, place, updatedAt: services.now() })
      .returning({ id: proofs.id });
    if (!made) throw new Error("The proof was not added");
    await audit(transaction, actor.personId, "add proof", `proof:${made.id}`, { after: proof });
    return made.id;
  });
}

/** @throws Failure not_found, conflict when it was changed since the version given */
export async function changeProof(
  services: Services,
  { actor }: Scope<"any">,
  { id, version, ...after }: NewProof & Seen,
): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await findSeen(transaction, { id, version });
    await transaction
      .update(proofs)
      .set({ ...after, version: version + 1, updatedAt: services.now() })
      .where(eq(proofs.id, id));
    await audit(transaction, actor.personId, "change proof", `proof:${id}`, { before: saidBy(before), after });
  });
}

/** @throws Failure not_found, conflict when it was changed since the version given */
export async function removeProof(services: Services, { actor }: Scope<"any">, seen: Seen): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const before = await findSeen(transaction, seen);
    await transaction.delete(proofs).where(eq(proofs.id, seen.id));
    await audit(transaction, actor.personId, "remove proof", `proof:${seen.id}`, { before: saidBy(before), after: {} });
  });
}

/** Sets the order of all proofs. @throws Failure conflict when the set has changed */
export async function orderProofs(services: Services, { actor }: Scope<"any">, ids: string[]): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const all = await lockProofs(transaction);
    const names = new Map(all.map(({ id, name }) => [id, name]));
    const isSame = new Set(ids).size === all.length && ids.length === all.length && ids.every((id) => names.has(id));
    if (!isSame) throw new Failure("conflict", messages.proofsChanged);
    for (const [index, id] of ids.entries())
      await transaction
        .update(proofs)
        .set({ place: index + 1 })
        .where(eq(proofs.id, id));
    await audit(transaction, actor.personId, "order proofs", "proofs", { order: ids.map((id) => names.get(id)) });
  });
}

/** A proof's version as the administrator read it. */
interface Seen {
  id: string;
  version: number;
}

async function findSeen(transaction: Transaction, { id, version }: Seen): Promise<ProofRow> {
  const known = (await lockProofs(transaction)).find((each) => each.id === id);
  if (!known) throw notFound("This entry");
  if (known.version !== version) throw new Failure("conflict", contentMessages.proofMeanwhile);
  return known;
}

/** Locks the proofs, so that changes take turns, and returns all of them; there are few. */
async function lockProofs(transaction: Transaction): Promise<ProofRow[]> {
  await transaction.execute(sql`select pg_advisory_xact_lock(72177251)`);
  return transaction.select().from(proofs).orderBy(asc(proofs.place), asc(proofs.id));
}

const saidBy = ({ kind, name, issuer, statement, validUntil, link }: ProofRow): NewProof => ({
  kind,
  name,
  issuer,
  statement,
  validUntil,
  link,
});

const presentProof = (row: ProofRow): ShownProof => ({ id: row.id, ...saidBy(row) });

/** Whether its last day in India has passed, so that visitors no longer see it. */
export const isExpired = ({ validUntil }: Pick<ProofRow, "validUntil">, now: Date) =>
  validUntil !== null && validUntil < indiaCalendar(now).toISOString().slice(0, 10);
