import { and, eq } from "drizzle-orm";
import { noteReached } from "../access/reach.ts";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Database } from "../database/database.ts";
import {
  creditNotes,
  invoices,
  orders,
  organisations,
  quoteDecisions,
  quoteRevisions,
  quotes,
} from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import {
  acceptanceShownAs,
  creditNoteShownAs,
  invoiceShownAs,
  proposalShownAs,
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

/**
 * What people get a file as, if it is in the reader's scope: it is its quote's or order's organisation's; a visitor's
 * proposal is in everybody's scope only.
 */
async function findShownAs({ database }: Services, scope: Readers, fileName: string): Promise<string | undefined> {
  const [proposal] = await database
    .select({ serial: quotes.serial, revision: quotes.revision, organisationId: quotes.organisationId })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(and(eq(quotes.proposalFile, fileName), organisationsIn(scope)));
  if (proposal) {
    noteReached(scope, proposal.organisationId);
    return proposalShownAs(proposal);
  }
  // Customers are shown what holds now.
  if (scope.reach === "any") {
    const superseded = await findSuperseded(database, fileName);
    if (superseded) {
      noteReached(scope, superseded.organisationId);
      return supersededShownAs(superseded);
    }
  }
  const [accepted] = await database
    .select({ serial: quotes.serial, revision: quoteDecisions.revision, organisationId: quotes.organisationId })
    .from(quoteDecisions)
    .innerJoin(quotes, eq(quotes.id, quoteDecisions.quoteId))
    .innerJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(and(eq(quoteDecisions.file, fileName), organisationsIn(scope)));
  if (accepted) {
    noteReached(scope, accepted.organisationId);
    return acceptanceShownAs(accepted);
  }
  const [invoice] = await database
    .select({ number: invoices.number, organisationId: orders.organisationId })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(invoices.file, fileName), organisationsIn(scope)));
  if (invoice) {
    noteReached(scope, invoice.organisationId);
    return invoiceShownAs(invoice.number);
  }
  const [creditNote] = await database
    .select({ number: creditNotes.number, organisationId: orders.organisationId })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(creditNotes.file, fileName), organisationsIn(scope)));
  noteReached(scope, creditNote?.organisationId ?? null);
  return creditNote && creditNoteShownAs(creditNote.number);
}

/** A proposal that a later revision has replaced. */
async function findSuperseded(database: Database, fileName: string) {
  const [found] = await database
    .select({ serial: quotes.serial, revision: quoteRevisions.revision, organisationId: quotes.organisationId })
    .from(quoteRevisions)
    .innerJoin(quotes, eq(quotes.id, quoteRevisions.quoteId))
    .where(eq(quoteRevisions.proposalFile, fileName));
  return found;
}
