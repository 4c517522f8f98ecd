import { asc, desc, eq } from "drizzle-orm";
import type { ContractChange, ContractDetails, ContractLine, LessRequest, TrueUp } from "../../contract/contracts.ts";
import { limits } from "../../contract/limits.ts";
import { rupees } from "../../contract/money.ts";
import { contractNumber, orderNumber, quoteNumber } from "../../contract/numbers.ts";
import { daysAfter } from "../../contract/proration.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { listPage } from "../database/list-page.ts";
import {
  contractChanges,
  contractLines,
  contracts,
  creditNotes,
  invoices,
  lessRequests,
  orders,
  people,
  quotes,
  refunds,
  trueUps,
} from "../database/schema/index.ts";
import { withCreditLeft } from "../ledger/free-credit.ts";
import { acceptedByItselfOn, isRenewalChoiceOpen } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";
import { isOurs } from "./ask-for-less.ts";
import { type ContractScope, findContract, stateOn, todayInIndia } from "./find-contract.ts";
import { findOpenQuotes } from "./open-quotes.ts";
import { allContracts, type ContractRow, presentContract } from "./queries.ts";

const shownMax = 50;

/** The organisation's contracts with all details, newest first. */
export async function readContracts(services: Services, scope: Scope<"organisation">): Promise<ContractDetails[]> {
  const organisationId = organisationOf(scope);
  const narrowed = [{ column: contracts.organisationId, compared: "=" as const, value: organisationId }];
  const { rows } = await listPage(services.database, allContracts, null, { limit: shownMax }, narrowed);
  return Promise.all(rows.map((row) => detailsOf(services, scope, row, organisationId)));
}

/** A contract with all details. @throws Failure not_found */
export async function readContract(services: Services, scope: ContractScope, id: string): Promise<ContractDetails> {
  const { organisationId } = await findContract(services.database, scope, id);
  const narrowed = [{ column: contracts.id, compared: "=" as const, value: id }];
  const { rows } = await listPage(services.database, allContracts, null, { limit: 1 }, narrowed);
  const [row] = rows;
  if (!row) throw new Error(`Contract ${id} is gone`);
  return detailsOf(services, scope, row, organisationId);
}

async function detailsOf(
  services: Services,
  scope: ContractScope,
  row: ContractRow,
  organisationId: string,
): Promise<ContractDetails> {
  const { id } = row;
  const rows = await findRows(services, id);
  const [changes, requests, trueUpsOf, quotesOf, neighbours] = await Promise.all([
    findChanges(services, id, rows),
    findRequests(services, id, rows),
    findTrueUps(services, id),
    findOpenQuotes(services, scope, id, organisationId),
    findNeighbours(services, id),
  ]);
  const asked = new Map(requests.filter(({ state }) => state === "asked").map((one) => [one.series, one.quantity]));
  return {
    ...presentContract(services, row),
    lines: presentLines(rows, todayInIndia(services)).map((line) => ({
      ...line,
      asked_less: asked.get(line.series) ?? null,
    })),
    changes,
    requests,
    true_ups: trueUpsOf,
    quotes: quotesOf,
    ...neighbours,
    renewal_chosen_at: row.renewalChosenAt?.toISOString() ?? null,
    renewal_choice_until: daysAfter(acceptedByItselfOn(row.endsOn), -1),
    renewal_choice_open: isRenewalChoiceOpen(services, row.endsOn),
    renewal_quoted_on: daysAfter(row.endsOn, -limits.renewalStages[0]),
  };
}

/** All rows of a contract, each with the order of the change that made it. */
const findRows = ({ database }: Services, contractId: string) =>
  database
    .select({ line: contractLines, orderSerial: orders.serial })
    .from(contractLines)
    .innerJoin(contractChanges, eq(contractChanges.id, contractLines.changeId))
    .leftJoin(orders, eq(orders.id, contractChanges.orderId))
    .where(eq(contractLines.contractId, contractId))
    .orderBy(asc(contractLines.series), asc(contractLines.startsOn));
type LineRow = Awaited<ReturnType<typeof findRows>>[number];

/** The rows that were or will be in force, without those closed before their first day. */
function presentLines(rows: readonly LineRow[], today: string): Omit<ContractLine, "asked_less">[] {
  // A row that continues a series after a change was bought by the series' first order.
  const bought = new Map<number, number>();
  for (const { line, orderSerial } of rows) if (orderSerial !== null) bought.set(line.series, orderSerial);
  return rows
    .filter(({ line }) => line.startsOn <= line.endsOn)
    .map(({ line }) => ({
      id: line.id,
      series: line.series,
      service: line.service,
      device_type: line.deviceType,
      unit: line.unit,
      quantity: line.quantity,
      rate: rupees(line.ratePaise),
      discount_percent: line.discountBasisPoints / 100,
      from: line.startsOn,
      to: line.endsOn,
      state: stateOn(line, today),
      order_number: orderNumber(bought.get(line.series) ?? 0),
    }));
}

async function findChanges(
  { database }: Services,
  contractId: string,
  lines: readonly LineRow[],
): Promise<ContractChange[]> {
  const rows = await database
    .select({
      change: contractChanges,
      orderSerial: orders.serial,
      orderPaise: orders.amountPaise,
      invoiceNumber: invoices.number,
      creditNoteNumber: creditNotes.number,
      creditPaise: creditNotes.amountPaise,
      refund: refunds,
      firstName: people.firstName,
      lastName: people.lastName,
    })
    .from(contractChanges)
    .leftJoin(orders, eq(orders.id, contractChanges.orderId))
    .leftJoin(invoices, eq(invoices.orderId, orders.id))
    .leftJoin(creditNotes, eq(creditNotes.id, contractChanges.creditNoteId))
    .leftJoin(refunds, eq(refunds.id, contractChanges.refundId))
    .leftJoin(people, eq(people.id, contractChanges.madeBy))
    .where(eq(contractChanges.contractId, contractId))
    .orderBy(desc(contractChanges.createdAt), desc(contractChanges.id));
  const devices = devicesOfChanges(lines);
  const failed = rows.flatMap(({ refund }) => (refund?.state === "failed" ? [refund] : []));
  const again = await withCreditLeft(database, failed);
  return rows.map(({ change, ...of }) => ({
    id: change.id,
    kind: change.kind,
    on: change.effectiveOn,
    made_at: change.createdAt.toISOString(),
    made_by: of.firstName === null ? null : `${of.firstName} ${of.lastName}`,
    devices: devices(change),
    order_number: of.orderSerial === null ? null : orderNumber(of.orderSerial),
    invoice_number: of.invoiceNumber,
    credit_note_number: of.creditNoteNumber,
    amount: rupees(of.creditPaise ?? of.orderPaise ?? 0),
    refund: of.refund?.state ?? null,
    may_refund_again: of.refund !== null && again.has(of.refund.id),
  }));
}

/** What each change added or took away, in words. */
function devicesOfChanges(rows: readonly LineRow[]) {
  const lines = rows.map(({ line }) => line);
  const named = new Map(lines.map((line) => [line.series, line.deviceType]));
  return ({ id, series, quantity }: typeof contractChanges.$inferSelect): string[] =>
    series !== null
      ? [`${quantity} × ${named.get(series) ?? ""}`]
      : lines.filter(({ changeId }) => changeId === id).map((line) => `${line.quantity} × ${line.deviceType}`);
}

async function findRequests(
  { database }: Services,
  contractId: string,
  lines: readonly LineRow[],
): Promise<LessRequest[]> {
  const rows = await database
    .select({
      request: lessRequests,
      firstName: people.firstName,
      lastName: people.lastName,
      askedAs: people.role,
      effectiveOn: contractChanges.effectiveOn,
    })
    .from(lessRequests)
    .innerJoin(people, eq(people.id, lessRequests.askedBy))
    .leftJoin(contractChanges, eq(contractChanges.id, lessRequests.changeId))
    .where(eq(lessRequests.contractId, contractId))
    .orderBy(desc(lessRequests.askedAt), desc(lessRequests.id));
  const named = new Map(lines.map(({ line }) => [line.series, line]));
  return rows.map(({ request, firstName, lastName, askedAs, effectiveOn }) => ({
    id: request.id,
    series: request.series,
    service: named.get(request.series)?.service ?? "",
    device_type: named.get(request.series)?.deviceType ?? "",
    quantity: request.quantity,
    wished_on: request.wishedOn,
    reason: request.reason,
    state: request.state,
    asked_at: request.askedAt.toISOString(),
    asked_by: `${firstName} ${lastName}`,
    asked_by_us: isOurs(askedAs),
    decided_at: request.decidedAt?.toISOString() ?? null,
    answer: request.answer,
    effective_on: effectiveOn,
  }));
}

async function findTrueUps({ database }: Services, contractId: string): Promise<TrueUp[]> {
  const rows = await database
    .select({ trueUp: trueUps, quoteSerial: quotes.serial })
    .from(trueUps)
    .leftJoin(quotes, eq(quotes.id, trueUps.quoteId))
    .where(eq(trueUps.contractId, contractId))
    .orderBy(desc(trueUps.month), asc(trueUps.deviceType));
  return rows.map(({ trueUp, quoteSerial }) => ({
    id: trueUp.id,
    month: trueUp.month,
    service: trueUp.service,
    device_type: trueUp.deviceType,
    connected: trueUp.connected,
    contracted: trueUp.contracted,
    extra: trueUp.extra,
    state: trueUp.state,
    bill_on: trueUp.billOn,
    dispute: trueUp.dispute,
    answer: trueUp.answer,
    quote_number: quoteSerial === null ? null : quoteNumber(quoteSerial),
  }));
}

/** The previous and the next contract, and who chose the automatic renewal. */
async function findNeighbours({ database }: Services, contractId: string) {
  const [found] = await database
    .select({ renews: contracts.renews, firstName: people.firstName, lastName: people.lastName })
    .from(contracts)
    .leftJoin(people, eq(people.id, contracts.renewalChosenBy))
    .where(eq(contracts.id, contractId));
  const serialOf = async (where: Parameters<typeof eq>[0], value: string | null | undefined) => {
    if (!value) return null;
    const [one] = await database.select({ serial: contracts.serial }).from(contracts).where(eq(where, value));
    return one ? contractNumber(one.serial) : null;
  };
  return {
    renews: await serialOf(contracts.id, found?.renews),
    renewed_by: await serialOf(contracts.renews, contractId),
    renewal_chosen_by: found?.firstName ? `${found.firstName} ${found.lastName}` : null,
  };
}
