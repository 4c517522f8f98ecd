import { and, eq } from "drizzle-orm";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { trueUps } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import { paperDay } from "../outside/documents/paper.ts";
import { currentRateCard } from "../rates/rate-card.ts";
import type { Services } from "../services.ts";
import { factsOf } from "./ask-for-less.ts";
import { type ContractScope, lockContract, todayInIndia } from "./find-contract.ts";
import { type Billing, billTrueUp, drop, type TrueUpRow } from "./true-ups.ts";

/** Disputes a true-up: it is not billed until an administrator has decided. @throws Failure not_found, conflict */
export async function disputeTrueUp(
  services: Services,
  scope: Scope<"organisation">,
  { id, comment }: Input<"user/contracts/dispute">,
): Promise<void> {
  const { personId } = scope.actor;
  await services.database.transaction(async (transaction) => {
    const { contract, trueUp } = await lockTrueUp(transaction, scope, id);
    if (trueUp.state !== "announced" || trueUp.decidedBy !== null)
      throw new Failure("conflict", "This true-up can't be disputed any more. Please write to us.");
    await transaction
      .update(trueUps)
      .set({ state: "disputed", dispute: comment, disputedBy: personId })
      .where(and(eq(trueUps.id, id), eq(trueUps.state, "announced")));
    const devices = devicesOf(trueUp);
    await audit(transaction, personId, "dispute true-up", `contract:${contract.id}`, { devices });
    await notify(transaction, "true-up disputed", id, { ...factsOf(contract), devices }, {});
  });
}

/** Decides a disputed true-up: bills it, not before its day, or drops it. @throws Failure not_found, conflict */
export async function decideTrueUp(
  services: Services,
  scope: Scope<"any">,
  { id, billed, answer }: Input<"admin/contracts/decide-true-up">,
): Promise<string> {
  const { personId } = scope.actor;
  const card = await currentRateCard(services);
  return services.database.transaction(async (transaction) => {
    const { contract, trueUp } = await lockTrueUp(transaction, scope, id);
    if (trueUp.state !== "disputed") throw new Failure("conflict", "This true-up does not wait for anybody.");
    let billing: Billing | null = null;
    if (billed) {
      const decided = { answer, decidedBy: personId, decidedAt: services.now() };
      await transaction
        .update(trueUps)
        .set({ state: "announced", ...decided })
        .where(eq(trueUps.id, id));
      if (isDue(services, trueUp)) billing = await billTrueUp(services, transaction, card, id);
    } else billing = { dropped: await drop(services, transaction, trueUp, answer, personId) };
    const dropped = billing && "dropped" in billing ? billing.dropped : null;
    const extra = billing && "quoted" in billing ? billing.quoted : trueUp.extra;
    const { organisationId } = contract;
    const facts = { ...factsOf(contract), devices: devicesOf({ ...trueUp, extra }), billed: dropped === null };
    await notify(transaction, "true-up decided", id, facts, { organisationId });
    if (!billed) return "Dropped. The customer sees your answer.";
    if (dropped !== null) return `It is not billed, and the customer sees why: ${dropped}`;
    const when = isDue(services, trueUp) ? "" : ` on ${paperDay(trueUp.billOn)}`;
    return `It is billed${when}. The customer sees your answer.`;
  });
}

const isDue = (services: Services, { billOn }: TrueUpRow) => billOn <= todayInIndia(services);

const devicesOf = ({ extra, deviceType }: TrueUpRow) => `${extra} × ${deviceType}`;

/** Locks the contract first, as every change to one of its records does. @throws Failure not_found */
async function lockTrueUp(transaction: Transaction, scope: ContractScope, id: string) {
  const [known] = await transaction.select().from(trueUps).where(eq(trueUps.id, id));
  if (!known) throw notFound("This true-up");
  const contract = await lockContract(transaction, scope, known.contractId).catch((error: unknown) => {
    throw error instanceof Failure && error.code === "not_found" ? notFound("This true-up") : error;
  });
  const [trueUp] = await transaction.select().from(trueUps).where(eq(trueUps.id, id));
  if (!trueUp) throw notFound("This true-up");
  return { contract, trueUp };
}
