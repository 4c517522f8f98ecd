import { and, eq, type SQL } from "drizzle-orm";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, quotesIn, type Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Database } from "../database/database.ts";
import {
  creditNotes,
  invoices,
  orders,
  organisations,
  quoteDecisions,
  quoteRevisions,
  proformas,
  quotes,
  receipts,
  refundVouchers,
  serviceReports,
  taxDeductions,
} from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import {
  acceptanceShownAs,
  certificateShownAs,
  creditNoteShownAs,
  invoiceShownAs,
  proformaShownAs,
  proposalShownAs,
  receiptShownAs,
  refundVoucherShownAs,
  certificateOfMonthShownAs,
  serviceReportShownAs,
  supersededShownAs,
} from "./shown-as.ts";

type Readers = Scope<"organisation" | "customers" | "any">;

const signedUrl = async (services: Services, { scope }: { scope: Readers }, { fileName }: { fileName: string }) => {
  const shownAs = await findShownAs(services, scope, fileName);
  if (!shownAs) throw notFound("This file");
  return { signedUrl: await services.files.signedUrl(fileName, shownAs) };
};

export const fileHandlers = {
  "user/get-signed-url": signedUrl,
  "partner/get-signed-url": signedUrl,
  "admin/getSignedUrlByAdmin": signedUrl,
} satisfies Partial<Handlers>;

/** A known file: whose it is, and its name when downloaded. */
interface KnownFile {
  organisationId: string | null;
  shownAs: string;
}

/** Finders for each kind of file: each finds only files whose organisation, that of the quote or order, is in scope. */
const kinds: readonly ((database: Database, scope: Readers, fileName: string) => Promise<KnownFile | undefined>)[] = [
  findProposal,
  findSuperseded,
  findAccepted,
  findInvoice,
  findCreditNote,
  findProforma,
  findReceipt,
  findRefundVoucher,
  findCertificate,
  findServiceReport,
  findReportOfPartner,
  findRetention,
];

async function findShownAs({ database }: Services, scope: Readers, fileName: string): Promise<string | undefined> {
  for (const find of kinds) {
    // oxlint-disable-next-line no-await-in-loop -- a file is of one kind, usually one of the first
    const found = await find(database, scope, fileName);
    if (!found) continue;
    noteReached(scope, found.organisationId);
    return found.shownAs;
  }
  noteReached(scope, null);
  return undefined;
}

/** A visitor's proposal belongs to no organisation, so only a scope over everything has it. */
async function findProposal(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ serial: quotes.serial, revision: quotes.revision, organisationId: quotes.organisationId })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.organisationId))
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(and(eq(quotes.proposalFile, fileName), organisationsIn(scope), quotesIn(scope)));
  return found && { ...found, shownAs: proposalShownAs(found) };
}

/** A proposal that a later revision replaced, for administrators only: customers see the current one. */
async function findSuperseded(database: Database, scope: Readers, fileName: string) {
  if (scope.reach !== "any") return undefined;
  const [found] = await database
    .select({ serial: quotes.serial, revision: quoteRevisions.revision, organisationId: quotes.organisationId })
    .from(quoteRevisions)
    .innerJoin(quotes, eq(quotes.id, quoteRevisions.quoteId))
    .where(eq(quoteRevisions.proposalFile, fileName));
  return found && { ...found, shownAs: supersededShownAs(found) };
}

async function findAccepted(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ serial: quotes.serial, revision: quoteDecisions.revision, organisationId: quotes.organisationId })
    .from(quoteDecisions)
    .innerJoin(quotes, eq(quotes.id, quoteDecisions.quoteId))
    .innerJoin(organisations, eq(organisations.id, quotes.organisationId))
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(and(eq(quoteDecisions.file, fileName), organisationsIn(scope), quotesIn(scope)));
  return found && { ...found, shownAs: acceptanceShownAs(found) };
}

async function findInvoice(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: invoices.number, organisationId: orders.organisationId })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(invoices.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: invoiceShownAs(found.number) };
}

async function findCreditNote(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: creditNotes.number, organisationId: orders.organisationId })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(creditNotes.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: creditNoteShownAs(found.number) };
}

async function findProforma(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: proformas.number, organisationId: orders.organisationId })
    .from(proformas)
    .innerJoin(orders, eq(orders.id, proformas.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(proformas.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: proformaShownAs(found.number) };
}

async function findReceipt(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: receipts.number, organisationId: orders.organisationId })
    .from(receipts)
    .innerJoin(orders, eq(orders.id, receipts.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(receipts.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: receiptShownAs(found.number) };
}

async function findRefundVoucher(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: refundVouchers.number, organisationId: orders.organisationId })
    .from(refundVouchers)
    .innerJoin(orders, eq(orders.id, refundVouchers.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(refundVouchers.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: refundVoucherShownAs(found.number) };
}

async function findCertificate(database: Database, scope: Readers, fileName: string) {
  const [found] = await database
    .select({ number: taxDeductions.certificateNumber, organisationId: orders.organisationId })
    .from(taxDeductions)
    .innerJoin(orders, eq(orders.id, taxDeductions.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(taxDeductions.file, fileName), organisationsIn(scope)));
  return found && { ...found, shownAs: certificateShownAs(found.number) };
}

async function findServiceReport(database: Database, scope: Readers, fileName: string) {
  const found = await findReport(database, scope, eq(serviceReports.file, fileName));
  return found && { ...found, shownAs: serviceReportShownAs(found) };
}

/** A report in a partner's name can be read by that partner, its customer and the staff, but by no later partner. */
async function findReportOfPartner(database: Database, scope: Readers, fileName: string) {
  const isInName = eq(serviceReports.partnerIdAtClose, organisations.partnerId);
  const isIt = eq(serviceReports.partnerFile, fileName);
  const found = await findReport(database, scope, scope.reach === "customers" ? and(isIt, isInName) : isIt);
  return found && { ...found, shownAs: serviceReportShownAs(found) };
}

async function findRetention(database: Database, scope: Readers, fileName: string) {
  const found = await findReport(database, scope, eq(serviceReports.certificateFile, fileName));
  return found && { ...found, shownAs: certificateOfMonthShownAs(found) };
}

async function findReport(database: Database, scope: Readers, isIt: SQL | undefined) {
  const [found] = await database
    .select({ month: serviceReports.month, organisationId: serviceReports.organisationId })
    .from(serviceReports)
    .innerJoin(organisations, eq(organisations.id, serviceReports.organisationId))
    .where(and(isIt, organisationsIn(scope)));
  return found;
}
