import { inArray, or } from "drizzle-orm";
import {
  bankStatements,
  creditNotes,
  invoices,
  ledgerEntries,
  proformas,
  receipts,
  taxDeductions,
  transfers,
} from "../database/schema/index.ts";
import type { DataSection } from "./data-section.ts";

/** What is kept beside invoices: what was taken back of them, what is owed, and how it was transferred. */
export const moneySections: readonly DataSection[] = [
  {
    name: "creditNotes",
    title: "Credit notes",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(creditNotes)
        .where(
          inArray(
            creditNotes.invoiceId,
            transaction.select({ id: invoices.id }).from(invoices).where(inArray(invoices.orderId, owner.orders)),
          ),
        ),
  },
  {
    name: "ledger",
    title: "What was owed and paid",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(ledgerEntries)
        .where(or(inArray(ledgerEntries.orderId, owner.orders), inArray(ledgerEntries.writtenBy, owner.people))),
  },
  {
    name: "proformas",
    title: "Proforma invoices",
    rows: (transaction, owner) => transaction.select().from(proformas).where(inArray(proformas.orderId, owner.orders)),
  },
  {
    name: "transfers",
    title: "Bank transfers",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(transfers)
        .where(
          or(
            inArray(transfers.orderId, owner.orders),
            inArray(transfers.announcedBy, owner.people),
            inArray(transfers.recordedBy, owner.people),
          ),
        ),
  },
  {
    name: "receipts",
    title: "Receipts for advances",
    rows: (transaction, owner) => transaction.select().from(receipts).where(inArray(receipts.orderId, owner.orders)),
  },
  {
    name: "taxDeductions",
    title: "Deducted tax and its certificates",
    rows: (transaction, owner) =>
      transaction
        .select()
        .from(taxDeductions)
        .where(
          or(
            inArray(taxDeductions.orderId, owner.orders),
            inArray(taxDeductions.uploadedBy, owner.people),
            inArray(taxDeductions.decidedBy, owner.people),
          ),
        ),
  },
  {
    name: "bankStatements",
    title: "Bank statements that the person took in",
    rows: (transaction, owner) =>
      transaction.select().from(bankStatements).where(inArray(bankStatements.uploadedBy, owner.people)),
  },
];
