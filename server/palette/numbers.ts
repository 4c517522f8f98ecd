import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import {
  contracts,
  creditNotes,
  incidents,
  invoices,
  leads,
  orders,
  proformas,
  quotes,
  receipts,
  refundVouchers,
} from "../database/schema/index.ts";
import { allContracts, allIncidents, allOrders, allQuotes, shownLeads } from "./lists.ts";

/** The input read as one of our numbers. */
export interface TypedNumber {
  /** The letter if one was typed; null for bare digits, which may be any kind of number. */
  letter: "q" | "o" | "l" | "c" | "i" | null;
  serial: number;
}

/**
 * Reads "Q-000026", "q26", "O-11" and "26" as numbers; null for anything else, including text as long as a phone
 * number.
 */
export function readNumber(words: string): TypedNumber | null {
  const [, letter, digits] = /^([qolci])?[-\s]?0*(\d{1,9})$/i.exec(words.trim()) ?? [];
  if (digits === undefined) return null;
  return { letter: (letter?.toLowerCase() as TypedNumber["letter"] | undefined) ?? null, serial: Number(digits) };
}

/**
 * Whether the input can only be a number: "Q-26", "SOC/26-27/000005" and "PF2627000001", but not "O2", which may be a
 * name, nor "26". Such input is only looked up as a number: as words, its parts match nearly every row.
 */
export const isOnlyNumber = (words: string): boolean =>
  /^(?:[qolci][-\s]\s*\d{1,12}|[a-z\d]+\/\d\d-\d\d\/\d+|pf\d{10})$/i.test(words.trim());

const isMeant = (typed: TypedNumber | null, letter: TypedNumber["letter"]): typed is TypedNumber =>
  typed !== null && (typed.letter === null || typed.letter === letter);

/** The quote of a number, within what `among` allows. */
export async function findQuote(database: Database, typed: TypedNumber | null, among: SQL | undefined) {
  if (!isMeant(typed, "q")) return [];
  return database
    .select(allQuotes.fields)
    .from(quotes)
    .where(and(eq(quotes.serial, typed.serial), among));
}

/** The lead of a number; opening a joined lead shows the one that it was joined into. */
export async function findLead(database: Database, typed: TypedNumber | null) {
  if (!isMeant(typed, "l")) return [];
  return database.select(shownLeads.fields).from(leads).where(eq(leads.serial, typed.serial));
}

/** The contract of a number, within what `among` allows. */
export async function findContract(database: Database, typed: TypedNumber | null, among: SQL | undefined) {
  if (!isMeant(typed, "c")) return [];
  return database
    .select(allContracts.fields)
    .from(contracts)
    .where(and(eq(contracts.serial, typed.serial), among));
}

/** The incident of a number, within what `among` allows. */
export async function findIncident(database: Database, typed: TypedNumber | null, among: SQL | undefined) {
  if (!isMeant(typed, "i")) return [];
  return database
    .select(allIncidents.fields)
    .from(incidents)
    .where(and(eq(incidents.serial, typed.serial), among));
}

/**
 * Orders by their own number, by an invoice's whole number or last digits, by any other document's whole number, or by
 * a proforma's reference.
 */
export async function findOrders(database: Database, words: string, typed: TypedNumber | null, among: SQL | undefined) {
  const [numbered, byDocument] = await Promise.all([
    isMeant(typed, "o")
      ? database
          .select(allOrders.fields)
          .from(orders)
          .where(and(eq(orders.serial, typed.serial), among))
      : [],
    ofDocument(database, words.trim().toUpperCase(), typed).then((ids) =>
      ids.length === 0
        ? []
        : database
            .select(allOrders.fields)
            .from(orders)
            .where(and(inArray(orders.id, ids), among))
            .orderBy(desc(orders.datedAt))
            .limit(3),
    ),
  ]);
  return { numbered, byDocument };
}

/** The ids of the orders that a document belongs to. Each kind of document has its own series of numbers. */
async function ofDocument(database: Database, name: string, typed: TypedNumber | null): Promise<string[]> {
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id);
  if (typed !== null && typed.letter === null)
    return ids(
      await database
        .select({ id: invoices.orderId })
        .from(invoices)
        .where(
          and(
            sql`${invoices.financialYear} in (select financial_year from invoice_series)`,
            eq(invoices.serial, typed.serial),
          ),
        ),
    );
  if (/^PF\d{10}$/.test(name))
    return ids(await database.select({ id: proformas.orderId }).from(proformas).where(eq(proformas.reference, name)));
  const [series] = name.includes("/") ? name.split("/") : [];
  if (series === undefined) return [];
  if (series === "PF")
    return ids(await database.select({ id: proformas.orderId }).from(proformas).where(eq(proformas.number, name)));
  if (series === "RV")
    return ids(await database.select({ id: receipts.orderId }).from(receipts).where(eq(receipts.number, name)));
  if (series === "RF")
    return ids(
      await database.select({ id: refundVouchers.orderId }).from(refundVouchers).where(eq(refundVouchers.number, name)),
    );
  if (series === "CN")
    return ids(
      await database
        .select({ id: invoices.orderId })
        .from(creditNotes)
        .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
        .where(eq(creditNotes.number, name)),
    );
  return ids(await database.select({ id: invoices.orderId }).from(invoices).where(eq(invoices.number, name)));
}
