import { and, desc, eq, inArray, or, type SQL, sql } from "drizzle-orm";
import type { Database } from "../database/database.ts";
import { invoices, leads, orders, quotes } from "../database/schema/index.ts";
import { allOrders, allQuotes, shownLeads } from "./lists.ts";

/** What somebody typed, read as a number of ours. */
export interface TypedNumber {
  /** Q, O or L where it was typed; null for bare digits, which may be any. */
  letter: "q" | "o" | "l" | null;
  serial: number;
}

/** "Q-000026", "q26", "O-11" and "26" are numbers; anything else is none. */
export function readNumber(words: string): TypedNumber | null {
  const [, letter, digits] = /^([qol])?[-\s]?0*(\d{1,12})$/i.exec(words.trim()) ?? [];
  if (digits === undefined) return null;
  return { letter: (letter?.toLowerCase() as "q" | "o" | "l" | undefined) ?? null, serial: Number(digits) };
}

/**
 * Whether words can be nothing but a number: "Q-26" and "SOC/26-27/000005", but not "O2", which may be a name, nor "26".
 * Such are looked for among the numbers alone: they are made of pieces that nearly every row has.
 */
export const isOnlyNumber = (words: string): boolean =>
  /^(?:[qol][-\s]\s*\d{1,12}|[a-z\d]+\/\d\d-\d\d\/\d+)$/i.test(words.trim());

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

/** The lead of a number; one that is joined opens the one that shows it. */
export async function findLead(database: Database, typed: TypedNumber | null) {
  if (!isMeant(typed, "l")) return [];
  return database.select(shownLeads.fields).from(leads).where(eq(leads.serial, typed.serial));
}

/** The order of a number, and those of the invoices of a number, a whole one or its last digits. */
export async function findOrders(database: Database, words: string, typed: TypedNumber | null, among: SQL | undefined) {
  const isBare = typed !== null && typed.letter === null;
  const invoiced = database
    .select({ id: invoices.orderId })
    .from(invoices)
    .where(
      or(
        eq(invoices.number, words.trim().toUpperCase()),
        isBare
          ? and(
              sql`${invoices.financialYear} in (select financial_year from invoice_series)`,
              eq(invoices.serial, typed.serial),
            )
          : undefined,
      ),
    );
  const [numbered, byInvoice] = await Promise.all([
    isMeant(typed, "o")
      ? database
          .select(allOrders.fields)
          .from(orders)
          .where(and(eq(orders.serial, typed.serial), among))
      : [],
    words.includes("/") || isBare
      ? database
          .select(allOrders.fields)
          .from(orders)
          .where(and(inArray(orders.id, invoiced), among))
          .orderBy(desc(orders.datedAt))
          .limit(3)
      : [],
  ]);
  return { numbered, byInvoice };
}
