import { and, eq } from "drizzle-orm";
import type { Input } from "../../contract/operations.ts";
import { rupees } from "../../contract/money.ts";
import { contractYear, daysFrom } from "../../contract/proration.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { creditWithin } from "../billing/credit-notes.ts";
import { factsOf } from "../contracts/ask-for-less.ts";
import { type Contract, lockContract, refuseEnded, todayInIndia } from "../contracts/find-contract.ts";
import { creditOf, firstDayOf, mostToTake, type TakenAway, takeAway } from "../contracts/line-changes.ts";
import { type ContractLine, rowsOfSeries } from "../contracts/lines.ts";
import type { Database, Transaction } from "../database/database.ts";
import { contractChanges, contractLines, lessRequests } from "../database/schema/index.ts";
import { hasCancelledInvoice } from "../e-invoices/of-invoice.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { notify } from "../notices/notify.ts";
import { paperDay } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { giveBackCredit, lockPaidBy, whereCreditGoes } from "./give-back-credit.ts";

type Asked = Input<"admin/contracts/decide-less">;
type Request = typeof lessRequests.$inferSelect;

/** What agreeing to fewer devices would credit. @throws Failure not_found, conflict, invalid */
export async function previewLess(
  services: Services,
  scope: Scope<"any">,
  { id, effective_on: wanted }: Input<"admin/contracts/preview-less">,
) {
  return services.database.transaction(async (transaction) => {
    const request = await findRequest(transaction, id);
    // Locks the order before the contract, as paying an order does.
    const payment = await lockPaidBy(transaction, await orderOfSeries(transaction, request));
    const contract = await lockContract(transaction, scope, request.contractId);
    const { grossPaise, from } = await weigh(services, transaction, contract, request, wanted);
    const { lowersPaise, refundablePaise, byHand } = await whereCreditGoes(transaction, payment, grossPaise);
    return {
      credit: rupees(grossPaise),
      lowers: rupees(lowersPaise),
      refundable: rupees(refundablePaise),
      by_hand: byHand,
      days: daysFrom(from, contract.endsOn),
      days_of_year: contractYear(contract.startsOn).days,
    };
  });
}

/**
 * Agrees to a request for fewer devices, or refuses it. Agreeing changes the lines from a day on, credits what was
 * invoiced for them and gives the money back, all in one transaction; the request's state lets that happen only once.
 * An invoice that was cancelled or credited in full is not credited. Returns what was done.
 * @throws Failure not_found, conflict, invalid
 */
export async function decideLess(services: Services, scope: Scope<"any">, asked: Asked): Promise<string> {
  const request = await findRequest(services.database, asked.id);
  if (!asked.agreed) return refuse(services, scope, request, asked.answer);
  const wanted = asked.effective_on;
  if (wanted === null) {
    throw invalidField("effective_on", "Please choose the first day with fewer devices");
  }
  return services.database.transaction(async (transaction) => {
    const orderId = await orderOfSeries(transaction, request);
    const payment = await lockPaidBy(transaction, orderId);
    const contract = await lockContract(transaction, scope, request.contractId);
    await lockUndecided(transaction, request.id);
    const weighed = await weigh(services, transaction, contract, request, wanted);
    const { taken, creditPaise, grossPaise, devices, from } = weighed;
    const changeId = await keepChange(services, transaction, scope, { request, from, creditPaise, taken });
    await decide(services, transaction, scope, request.id, { state: "agreed", answer: asked.answer, changeId });
    const given = await giveBackCredit(services, transaction, scope, payment, {
      changeId,
      orderId,
      amountPaise: grossPaise,
      reason: `${devices} less from ${paperDay(from)} on, ${daysFrom(from, contract.endsOn)} days to the end of the contract.`,
    });
    await audit(transaction, scope.actor.personId, "agree to less", `contract:${contract.id}`, {
      devices,
      from,
      creditPaise,
    });
    const { organisationId } = contract;
    const facts = { ...factsOf(contract), devices, from, isCredited: grossPaise > 0 };
    await notify(transaction, "less agreed", request.id, facts, { organisationId });
    return given;
  });
}

async function refuse(services: Services, scope: Scope<"any">, request: Request, answer: string): Promise<string> {
  await services.database.transaction(async (transaction) => {
    const contract = await lockContract(transaction, scope, request.contractId);
    await lockUndecided(transaction, request.id);
    await decide(services, transaction, scope, request.id, { state: "refused", answer, changeId: null });
    const [first] = await rowsOfSeries(transaction, contract.id, request.series);
    const devices = `${request.quantity} × ${first?.deviceType ?? ""}`;
    await audit(transaction, scope.actor.personId, "refuse less", `contract:${contract.id}`, { devices, answer });
    const { organisationId } = contract;
    await notify(
      transaction,
      "less refused",
      request.id,
      { ...factsOf(contract), devices, answer },
      { organisationId },
    );
  });
  return "Refused. The customer sees your answer.";
}

async function findRequest(database: Database | Transaction, id: string): Promise<Request> {
  const [request] = await database.select().from(lessRequests).where(eq(lessRequests.id, id));
  if (!request) throw notFound("This request");
  return request;
}

/** The contract is locked, so of two concurrent decisions the second finds the request decided. */
async function lockUndecided(transaction: Transaction, id: string): Promise<void> {
  const { state } = await findRequest(transaction, id);
  if (state !== "asked") throw new Failure("conflict", `This request was ${state} already.`);
}

async function decide(
  { now }: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  id: string,
  decided: Pick<Request, "state" | "answer" | "changeId">,
): Promise<void> {
  await transaction
    .update(lessRequests)
    .set({ ...decided, decidedBy: actor.personId, decidedAt: now() })
    .where(and(eq(lessRequests.id, id), eq(lessRequests.state, "asked")));
}

interface Weighed {
  /** The first day with fewer devices: the one asked for, or the first day of a line that begins later. */
  from: string;
  taken: TakenAway<ContractLine>;
  /** Without tax: at most what is left of the invoice, and nothing of a cancelled one. */
  creditPaise: number;
  /** The same with tax. */
  grossPaise: number;
  orderId: string;
  devices: string;
}

/** The change and its credit, from a day on. @throws Failure conflict, invalid */
async function weigh(
  services: Services,
  transaction: Transaction,
  contract: Contract,
  { series, quantity }: Request,
  wanted: string,
): Promise<Weighed> {
  const today = todayInIndia(services);
  refuseEnded(contract, today);
  if (wanted < today || wanted > contract.endsOn) {
    throw invalidField("effective_on", "Please choose a day from today to the end of the contract");
  }
  const rows = await rowsOfSeries(transaction, contract.id, series);
  const from = firstDayOf(rows, wanted);
  const most = mostToTake(rows, from);
  if (quantity > most)
    throw new Failure("conflict", `From that day on the line holds ${most}, fewer than were asked to be taken away.`);
  const taken = takeAway(rows, quantity, from, contractYear(contract.startsOn).days);
  const before = await transaction
    .select({ creditedPaise: contractChanges.creditedPaise })
    .from(contractChanges)
    .where(and(eq(contractChanges.contractId, contract.id), eq(contractChanges.series, series)));
  const credited = before.reduce((sum, { creditedPaise }) => sum + creditedPaise, 0);
  const invoiced = rows.reduce((sum, { invoicedPaise }) => sum + invoicedPaise, 0);
  const orderId = await orderOfSeries(transaction, { contractId: contract.id, series });
  const isCancelled = await hasCancelledInvoice(transaction, orderId);
  const wantedPaise = isCancelled ? 0 : creditOf(taken.valuePaise, invoiced, credited);
  const { taxablePaise: creditPaise, totalPaise: grossPaise } = await creditWithin(transaction, orderId, wantedPaise);
  return {
    from,
    taken,
    creditPaise,
    grossPaise,
    orderId,
    devices: `${quantity} × ${rows[0]?.deviceType ?? ""}`,
  };
}

/** The order that bought a series. */
async function orderOfSeries(
  transaction: Transaction,
  { contractId, series }: Pick<Request, "contractId" | "series">,
): Promise<string> {
  const found = await transaction
    .select({ orderId: contractChanges.orderId })
    .from(contractLines)
    .innerJoin(contractChanges, eq(contractChanges.id, contractLines.changeId))
    .where(and(eq(contractLines.contractId, contractId), eq(contractLines.series, series)));
  const orderId = found.find((row) => row.orderId !== null)?.orderId;
  if (!orderId) throw notFound("This line");
  return orderId;
}

async function keepChange(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"any">,
  { request, from, creditPaise, taken }: { request: Request; from: string } & Pick<Weighed, "creditPaise" | "taken">,
): Promise<string> {
  const { contractId, series, quantity } = request;
  const [change] = await transaction
    .insert(contractChanges)
    .values({
      contractId,
      kind: "remove",
      effectiveOn: from,
      series,
      quantity,
      creditedPaise: creditPaise,
      madeBy: actor.personId,
      createdAt: services.now(),
    })
    .returning({ id: contractChanges.id });
  const changeId = change?.id ?? "";
  for (const { row, endsOn } of taken.closed) {
    // oxlint-disable-next-line no-await-in-loop -- one transaction, one connection
    await transaction.update(contractLines).set({ endsOn }).where(eq(contractLines.id, row.id));
  }
  const opened = taken.opened.map(({ id: _id, ...row }) => ({ ...row, changeId, invoicedPaise: 0 }));
  if (opened.length > 0) await transaction.insert(contractLines).values(opened);
  return changeId;
}
