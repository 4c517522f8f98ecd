import { eq } from "drizzle-orm";
import { areaOf } from "../../contract/roles.ts";
import { type Actor, type Call, type Handlers, signedIn } from "../call.ts";
import { invoices, orders, organisations, quotes } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";
import { invoiceShownAs, proposalShownAs } from "./shown-as.ts";

const signedUrl = async (services: Services, call: Call, { fileName }: { fileName: string }) => {
  const file = await findFile(services, fileName);
  if (!file || !mayRead(signedIn(call), file)) throw notFound("This file");
  return { signedUrl: await services.files.signedUrl(fileName, file.shownAs) };
};

export const fileHandlers = {
  "user/get-signed-url": signedUrl,
  "partner/get-signed-url": signedUrl,
  "admin/getSignedUrlByAdmin": signedUrl,
} satisfies Partial<Handlers>;

interface KnownFile {
  /** Null while it is the proposal of a visitor. */
  organisationId: string | null;
  partnerId: string | null;
  shownAs: string;
}

/** A file is its quote's or order's organisation's, and its partner's to see; administrators see every one. */
function mayRead(actor: Actor, { organisationId, partnerId }: KnownFile): boolean {
  const area = areaOf(actor.role);
  return area === "admin" || (area === "partner" ? partnerId : organisationId) === actor.organisationId;
}

/** Whose file this is and what people call it; undefined for an unknown name. */
async function findFile({ database }: Services, fileName: string): Promise<KnownFile | undefined> {
  const owner = { organisationId: organisations.id, partnerId: organisations.partnerId };
  const [proposal] = await database
    .select({ ...owner, serial: quotes.serial, revision: quotes.revision })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(eq(quotes.proposalFile, fileName));
  if (proposal) return { ...proposal, shownAs: proposalShownAs(proposal) };
  const [invoice] = await database
    .select({ ...owner, number: invoices.number })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(eq(invoices.file, fileName));
  return invoice && { ...invoice, shownAs: invoiceShownAs(invoice.number) };
}
