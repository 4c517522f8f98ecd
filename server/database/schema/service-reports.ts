import { isNotNull, sql } from "drizzle-orm";
import { date, index, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { CertificateData, ReportData } from "../../../contract/report-data.ts";
import { organisations } from "./accounts.ts";
import { createdAt, id, instant, searchedOfPartner } from "./columns.ts";
import { engineBindings } from "./engines.ts";

const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });
const ofBinding = () =>
  uuid()
    .notNull()
    .references(() => engineBindings.id, { onDelete: "cascade" });

/**
 * What is known of the events of each device or log source, noted once an hour. It stays when the device is gone: a
 * certificate tells of months that have passed.
 */
export const heldSources = pgTable(
  "held_sources",
  {
    id: id(),
    organisationId: ofOrganisation(),
    bindingId: ofBinding(),
    externalId: text().notNull(),
    name: text().notNull(),
    /** Null where the engine never told of an event. */
    firstEventAt: instant(),
    lastEventAt: instant(),
    /** When the engine told that `lastEventAt` is the last: what came between is not known where it was not asked. */
    watchedUntil: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("held_sources_once").on(table.bindingId, table.externalId),
    index("held_sources_of_organisation").on(table.organisationId, table.name, table.id),
  ],
);

/** A stretch without a known event that is longer than `limits.sourceGapHours`. */
export const sourceGaps = pgTable(
  "source_gaps",
  {
    id: id(),
    sourceId: uuid()
      .notNull()
      .references(() => heldSources.id, { onDelete: "cascade" }),
    /** The last event before, and the first known one after it. */
    fromAt: instant().notNull(),
    untilAt: instant().notNull(),
    /** Until then the engine was asked and told of none; of the rest nothing is known. */
    watchedUntil: instant().notNull(),
  },
  (table) => [unique("source_gaps_once").on(table.sourceId, table.fromAt)],
);

/**
 * The report of a customer's month, and its retention certificate: what was read at the close is kept as data, and both PDFs
 * are made from it alone.
 */
export const serviceReports = pgTable(
  "service_reports",
  {
    id: id(),
    organisationId: ofOrganisation(),
    /** The first day of the month, by the customer's calendar. */
    month: date().notNull(),
    data: jsonb().$type<ReportData>().notNull(),
    certificate: jsonb().$type<CertificateData>().notNull(),
    /** SHA-256 of the certificate's data, which its PDF carries. */
    certificateHash: text().notNull(),
    closedAt: instant().notNull(),
    createdAt: createdAt(),
    file: text(),
    certificateFile: text(),
    /** In the name of the partner that the customer had at the close; null where it had none. */
    partnerFile: text(),
    /** Copies that triggers keep true, as in `contracts`. */
    organisationName: text().notNull().default(""),
    partnerId: uuid(),
    searched: text()
      .notNull()
      .generatedAlwaysAs(sql`lower(organisation_name)`),
  },
  (table) => [
    unique("service_reports_once").on(table.organisationId, table.month),
    index("service_reports_of_organisation").on(table.organisationId, table.id),
    index("service_reports_by_month").on(table.month, table.id),
    index("service_reports_by_organisation").on(sql`lower(organisation_name)`, table.id),
    index("service_reports_searched").using("gin", table.searched.op("gin_trgm_ops")),
    index("service_reports_of_partner_searched")
      .using("gin", table.partnerId, searchedOfPartner)
      .where(isNotNull(table.partnerId)),
    index("service_reports_of_partner").on(table.partnerId, table.id).where(isNotNull(table.partnerId)),
    index("service_reports_of_partner_by_month")
      .on(table.partnerId, table.month, table.id)
      .where(isNotNull(table.partnerId)),
    index("service_reports_of_partner_by_organisation")
      .on(table.partnerId, sql`lower(organisation_name)`, table.id)
      .where(isNotNull(table.partnerId)),
    index("service_reports_file").on(table.file),
    index("service_reports_certificate_file").on(table.certificateFile),
    index("service_reports_partner_file").on(table.partnerFile),
  ],
);
