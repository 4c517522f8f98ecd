import { and, gt, inArray, or } from "drizzle-orm";
import { isOneOf } from "../database/is-one-of.ts";
import {
  bankStatements,
  creditNotes,
  enteredStates,
  invoices,
  ledgerEntries,
  proformas,
  receipts,
  refundVouchers,
  taxDeductions,
  transfers,
  writeOffRequests,
} from "../database/schema/index.ts";
import { movedPaiseOf } from "../ledger/list-transfers.ts";
import { type DataSection, whole } from "./data-section.ts";

/** Sections about money besides invoices: what was taken back, what is owed, and transfers. */
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
    rows: whole(ledgerEntries, (owner) =>
      or(isOneOf(ledgerEntries.orderId, owner.orders), isOneOf(ledgerEntries.writtenBy, owner.people)),
    ),
  },
  {
    name: "writeOffs",
    title: "What was to be written off by two people",
    rows: whole(writeOffRequests, (owner) =>
      or(
        isOneOf(writeOffRequests.orderId, owner.orders),
        isOneOf(writeOffRequests.askedBy, owner.people),
        isOneOf(writeOffRequests.decidedBy, owner.people),
      ),
    ),
  },
  {
    name: "proformas",
    title: "Proforma invoices",
    rows: whole(proformas, (owner) => isOneOf(proformas.orderId, owner.orders)),
  },
  {
    name: "transfers",
    title: "Bank transfers that paid for orders",
    rows: whole(transfers, (owner) =>
      and(
        isOneOf(transfers.orderId, owner.orders),
        inArray(transfers.state, enteredStates),
        // All of it was taken off again, as it belongs to another order: who paid it is somebody else's.
        gt(transfers.amountPaise, movedPaiseOf),
      ),
    ),
  },
  {
    // Whoever names a bank's reference may have read it on another's papers: who paid and what for is not theirs.
    name: "namedTransfers",
    title: "Bank references that the person named",
    rows: (transaction, owner) =>
      transaction
        .select({
          utr: transfers.utr,
          announcedBy: transfers.announcedBy,
          recordedBy: transfers.recordedBy,
          createdAt: transfers.createdAt,
        })
        .from(transfers)
        .where(or(isOneOf(transfers.announcedBy, owner.people), isOneOf(transfers.recordedBy, owner.people))),
  },
  {
    name: "receipts",
    title: "Receipts for advances",
    rows: whole(receipts, (owner) => isOneOf(receipts.orderId, owner.orders)),
  },
  {
    name: "refundVouchers",
    title: "Refund vouchers of advances",
    rows: whole(refundVouchers, (owner) => isOneOf(refundVouchers.orderId, owner.orders)),
  },
  {
    name: "taxDeductions",
    title: "Deducted tax and its certificates",
    rows: whole(taxDeductions, (owner) =>
      or(
        isOneOf(taxDeductions.orderId, owner.orders),
        isOneOf(taxDeductions.uploadedBy, owner.people),
        isOneOf(taxDeductions.decidedBy, owner.people),
        isOneOf(taxDeductions.debtBy, owner.people),
      ),
    ),
    without: ["isOpen", "rankedAt"],
  },
  {
    name: "bankStatements",
    title: "Bank statements that the person took in",
    rows: whole(bankStatements, (owner) => isOneOf(bankStatements.uploadedBy, owner.people)),
  },
];
