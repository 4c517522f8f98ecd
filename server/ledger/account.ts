import { and, asc, eq, gte, lt, sql } from "drizzle-orm";
import { brand } from "../../contract/brand.ts";
import { csvLines, csvStart } from "../../contract/csv.ts";
import { dayAfter, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { LedgerKind, Statement, StatementRequest } from "../../contract/receivables.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { ledgerEntries, orders, organisations, refunds, transfers } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import { brandOnPaper, paperAmount, paperDate, paperDay, paperSigned } from "../outside/documents/paper.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";

/** A line of a statement of account, with the balance after it. */
interface AccountLine {
  at: Date;
  what: string;
  about: string;
  order: string;
  amountPaise: number;
  balancePaise: number;
}

interface Account {
  organisation: string;
  from: string;
  to: string;
  openingPaise: number;
  lines: AccountLine[];
  closingPaise: number;
}

/**
 * An organisation's statement of account for a period, as a file.
 * @throws Failure not_found for a null scope, too_many_requests
 */
export async function writeStatement(
  services: Services,
  scope: Scope<"organisation"> | null,
  { from, to, format }: StatementRequest,
): Promise<Statement> {
  const account = await readAccount(services, scope, from, to);
  const fileName = `statement-${from}-${to}.${format}`;
  if (format === "csv")
    return { fileName, type: "text/csv;charset=utf-8", content: Buffer.from(accountAsCsv(account)).toString("base64") };
  if (scope) await services.limiter.consume("paperByAccount", scope.actor.personId);
  const { cin } = await readSeller(services.database);
  const pdf = await services.documents.render("account", accountData(account, services.now(), cin));
  return { fileName, type: "application/pdf", content: Buffer.from(pdf).toString("base64") };
}

async function readAccount(
  { database }: Services,
  scope: Scope<"organisation"> | null,
  from: string,
  to: string,
): Promise<Account> {
  const [organisation] = await database
    .select({ name: sql<string>`coalesce(${organisations.legalName}, ${organisations.name})` })
    .from(organisations)
    .where(eq(organisations.id, organisationOf(scope)));
  if (!organisation) throw notFound("This customer");
  const ofOwn = eq(orders.organisationId, organisationOf(scope));
  const begin = startOfWrittenDay(from);
  const end = startOfWrittenDay(dayAfter(to));
  const [before] = await database
    .select({ paise: sql<string>`coalesce(sum(${ledgerEntries.amountPaise}), 0)` })
    .from(ledgerEntries)
    .innerJoin(orders, eq(orders.id, ledgerEntries.orderId))
    .where(and(ofOwn, lt(ledgerEntries.at, begin)));
  const entries = await database
    .select({
      entry: ledgerEntries,
      serial: orders.serial,
      bankDay: sql<string | null>`coalesce(received_on, case when moved_from is null then paid_on end)`,
      isMoved: sql<boolean>`moved_from is not null`,
    })
    .from(ledgerEntries)
    .innerJoin(orders, eq(orders.id, ledgerEntries.orderId))
    .leftJoin(transfers, and(eq(ledgerEntries.kind, "payment"), eq(transfers.id, ledgerEntries.eventId)))
    .leftJoin(refunds, and(eq(ledgerEntries.kind, "refund"), eq(refunds.id, ledgerEntries.eventId)))
    .where(and(ofOwn, gte(ledgerEntries.at, begin), lt(ledgerEntries.at, end)))
    .orderBy(asc(ledgerEntries.at), asc(ledgerEntries.id));
  const openingPaise = Number(before?.paise ?? 0);
  let balancePaise = openingPaise;
  const lines = entries.map(({ entry, serial, bankDay, isMoved }) => {
    const { at, amountPaise } = entry;
    // Listed under the day on which it was entered, as in the ledger.
    const about = bankDay === null ? entry.about : `${entry.about}, at the bank on ${paperDay(bankDay)}`;
    balancePaise += amountPaise;
    return {
      at,
      what: isMoved ? "Taken off: of another order" : calledAs(entry),
      about,
      order: orderNumber(serial),
      amountPaise,
      balancePaise,
    };
  });
  return { organisation: organisation.name, from, to, openingPaise, lines, closingPaise: balancePaise };
}

const called: Record<LedgerKind, string> = {
  invoice: "Invoice",
  "invoice cancelled": "Invoice cancelled",
  "credit note": "Credit note",
  payment: "Payment",
  refund: "Money given back",
  "tax deducted": "Tax deducted at source",
  "tax not certified": "Deducted tax without a certificate",
  "tax certified": "Deducted tax, certified late",
  "write-off": "Written off",
};

/** Without a writer, nobody turned this tax into a debt: its claim ended with a cancelled or credited invoice. */
const calledAs = ({ kind, writtenBy }: typeof ledgerEntries.$inferSelect) =>
  kind === "tax not certified" && writtenBy === null ? "Deducted tax that is claimed no more" : called[kind];

function accountAsCsv({ from, to, openingPaise, lines, closingPaise }: Account): string {
  // As numbers: text that starts with a minus would get an apostrophe.
  const sum = (paise: number) => Number(rupees(paise));
  return `${csvStart}${csvLines([
    ["Date", "What", "Document or reference", "Order", "Owed", "Paid or credited", "Balance"],
    [from, "Opening balance", "", "", "", "", sum(openingPaise)],
    ...lines.map(({ at, what, about, order, amountPaise, balancePaise }) => [
      writtenDay(at),
      what,
      about,
      order,
      amountPaise > 0 ? sum(amountPaise) : "",
      amountPaise < 0 ? sum(-amountPaise) : "",
      sum(balancePaise),
    ]),
    [to, "Closing balance", "", "", "", "", sum(closingPaise)],
  ])}`;
}

/** The data for the statement's template. */
export function accountData(
  { organisation, from, to, openingPaise, lines, closingPaise }: Account,
  now: Date,
  cin: string,
) {
  return {
    brand: brandOnPaper(brand, cin),
    organisation,
    period: `${paperDay(from)} to ${paperDay(to)}`,
    date: paperDate(now),
    opening: paperSigned(openingPaise),
    closing: paperSigned(closingPaise),
    lines: lines.map(({ at, what, about, order, amountPaise, balancePaise }) => ({
      date: paperDate(at),
      what,
      about,
      order,
      owed: amountPaise > 0 ? paperAmount(amountPaise) : "",
      paid: amountPaise < 0 ? paperAmount(-amountPaise) : "",
      balance: paperSigned(balancePaise),
    })),
  };
}
