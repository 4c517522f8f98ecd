import { isNotNull, isNull, sql } from "drizzle-orm";
import { date, index, integer, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { FindingKind } from "../../../contract/finding-kinds.ts";
import { createdAt, id, instant, paise } from "./columns.ts";
import { attempts, orders } from "./orders.ts";
import { people } from "./accounts.ts";
import { refunds } from "./refunds.ts";

/** An imported settlement file of the gateway. */
export const settlementFiles = pgTable(
  "settlement_files",
  {
    id: id(),
    /** SHA-256 of its bytes: the same file is imported once. */
    hash: text().notNull().unique(),
    name: text().notNull(),
    uploadedBy: uuid()
      .notNull()
      .references(() => people.id),
    uploadedAt: createdAt(),
    firstDay: date().notNull(),
    lastDay: date().notNull(),
  },
  (table) => [index("settlement_files_by_uploaded_at").on(table.uploadedAt)],
);

/** `other` is what the gateway settles besides payments and refunds, such as a chargeback. */
export type SettlementKind = "payment" | "refund" | "other";

/** One payment or refund as the gateway settled it. Never changed. */
export const settlementLines = pgTable(
  "settlement_lines",
  {
    id: id(),
    fileId: uuid()
      .notNull()
      .references(() => settlementFiles.id),
    line: integer().notNull(),
    gateway: text().notNull(),
    kind: text().$type<SettlementKind>().notNull(),
    /**
     * The gateway's id of the payment or of the refund request, each settled once; for others whatever names the line.
     */
    gatewayId: text().notNull(),
    gatewayPaymentId: text().notNull(),
    reference: text().notNull(),
    amountPaise: paise().notNull(),
    /** The gateway's fee, and the tax on it. */
    feePaise: paise().notNull(),
    taxPaise: paise().notNull(),
    /** What arrives; negative for money that goes out. */
    netPaise: paise().notNull(),
    settledOn: date().notNull(),
    utr: text().notNull(),
    attemptId: uuid().references(() => attempts.id),
    refundId: uuid().references(() => refunds.id),
  },
  (table) => [
    unique("settlement_lines_once").on(table.gateway, table.kind, table.gatewayId),
    index().on(table.fileId),
    index().on(table.attemptId),
    index().on(table.refundId),
  ],
);

/** A difference between our books and the gateway's, one row each, until somebody resolves it with a reason. */
export const findings = pgTable(
  "findings",
  {
    id: id(),
    kind: text().$type<FindingKind>().notNull(),
    /** The gateway's id of the payment or refund concerned, or our reference. */
    key: text().notNull(),
    orderId: uuid().references(() => orders.id),
    about: text().notNull(),
    who: text().notNull().default(""),
    says: text().notNull(),
    foundAt: createdAt(),
    resolvedAt: instant(),
    /** Null if it resolved itself. */
    resolvedBy: uuid(),
    resolution: text().notNull().default(""),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(about || ' ' || who || ' ' || says || ' ' || resolution)`),
  },
  (table) => [
    unique("findings_once").on(table.kind, table.key),
    index().on(table.orderId),
    index("findings_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("findings_open").on(table.foundAt, table.id).where(isNull(table.resolvedAt)),
    index("findings_resolved").on(table.foundAt, table.id).where(isNotNull(table.resolvedAt)),
  ],
);
