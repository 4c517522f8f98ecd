import { inArray, or } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import {
  bankStatements,
  creditNotes,
  invoices,
  ledgerEntries,
  proformas,
  receipts,
  refundVouchers,
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
            transaction.select({ id: invoices.id }).from(invoices).where(isOneOf(invoices.orderId, owner.orders)),
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
        .where(or(isOneOf(ledgerEntries.orderId, owner.orders), isOneOf(ledgerEntries.writtenBy, owner.people))),
  },
  {
    name: "proformas",
    title: "Proforma invoices",
    rows: (transaction, owner) => transaction.select().from(proformas).where(isOneOf(proformas.orderId, owner.orders)),
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
            isOneOf(transfers.orderId, owner.orders),
            isOneOf(transfers.announcedBy, owner.people),
            isOneOf(transfers.recordedBy, owner.people),
          ),
        ),
  },
  {
    name: "receipts",
    title: "Receipts for advances",
    rows: (transaction, owner) => transaction.select().from(receipts).where(isOneOf(receipts.orderId, owner.orders)),
  },
  {
    name: "refundVouchers",
    title: "Refund vouchers of advances",
    rows: (transaction, owner) =>
      transaction.select().from(refundVouchers).where(isOneOf(refundVouchers.orderId, owner.orders)),
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
            isOneOf(taxDeductions.orderId, owner.orders),
            isOneOf(taxDeductions.uploadedBy, owner.people),
            isOneOf(taxDeductions.decidedBy, owner.people),
            isOneOf(taxDeductions.debtBy, owner.people),
          ),
        ),
  },
  {
    name: "bankStatements",
    title: "Bank statements that the person took in",
    rows: (transaction, owner) =>
      transaction.select().from(bankStatements).where(isOneOf(bankStatements.uploadedBy, owner.people)),
  },
];
