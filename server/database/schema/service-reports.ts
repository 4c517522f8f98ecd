import { isNotNull, sql } from "drizzle-orm";
import { date, index, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import type { CertificateData, ReportData } from "../../../contract/report-data.ts";
import { createdAt, id, instant, searchedOfPartner } from "./columns.ts";
import { engineBindings } from "./engines.ts";
import { ofOrganisation } from "./references.ts";

const ofBinding = () =>
  uuid()
    .notNull()
    .references(() => engineBindings.id, { onDelete: "cascade" });

/**
 * What is known of the events of each device or log source, recorded hourly. It stays when the device is gone, because
 * certificates cover past months.
 */
export const heldSources = pgTable(
  "held_sources",
  {
    id: id(),
    organisationId: ofOrganisation(),
    bindingId: ofBinding(),
    externalId: text().notNull(),
    name: text().notNull(),
    /** Null if the engine never reported an event. */
    firstEventAt: instant(),
    lastEventAt: instant(),
    /** Until when `lastEventAt` is known to be the last event; times in which the engine was not asked are unknown. */
    watchedUntil: instant().notNull(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("held_sources_once").on(table.bindingId, table.externalId),
    index("held_sources_of_organisation").on(table.organisationId, table.name, table.id),
  ],
);

/** A period longer than `limits.sourceGapHours` without a known event. */
export const sourceGaps = pgTable(
  "source_gaps",
  {
    id: id(),
    sourceId: uuid()
      .notNull()
      .references(() => heldSources.id, { onDelete: "cascade" }),
    /** The last event before it, and the first known event after it. */
    fromAt: instant().notNull(),
    untilAt: instant().notNull(),
    /** Until then the engine was asked and reported no event; the rest is unknown. */
    watchedUntil: instant().notNull(),
  },
  (table) => [unique("source_gaps_once").on(table.sourceId, table.fromAt)],
);

/** A customer's monthly report and its retention certificate: both PDFs are made only from data stored at the close. */
export const serviceReports = pgTable(
  "service_reports",
  {
    id: id(),
    organisationId: ofOrganisation(),
    /** The first day of the month, in the customer's time zone. */
    month: date().notNull(),
    data: jsonb().$type<ReportData>().notNull(),
    certificate: jsonb().$type<CertificateData>().notNull(),
    /** SHA-256 of the certificate's data; printed in its PDF. */
    certificateHash: text().notNull(),
    closedAt: instant().notNull(),
    createdAt: createdAt(),
    file: text(),
    certificateFile: text(),
    /** The report in the name of the partner that the customer had at the close; null if it had none. */
    partnerFile: text(),
    /** That partner, because others may have its name; null if it had none, or it can't be told any more. */
    partnerIdAtClose: uuid(),
    /** Copies that triggers maintain, as in `contracts`. */
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
