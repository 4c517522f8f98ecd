import { eq } from "drizzle-orm";
import { areaOf } from "../../contract/roles.ts";
import { type Actor, type Call, type Handlers, signedIn } from "../call.ts";
import { invoices, orders, organisations, quotes } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

const signedUrl = async (services: Services, call: Call, { fileName }: { fileName: string }) => {
  if (!(await mayRead(services, signedIn(call), fileName))) throw notFound("This file");
  return { signedUrl: await services.files.signedUrl(fileName) };
};

export const fileHandlers = {
  "user/get-signed-url": signedUrl,
  "partner/get-signed-url": signedUrl,
  "admin/getSignedUrlByAdmin": signedUrl,
} satisfies Partial<Handlers>;

/** A file is its quote's or order's organisation's, and its partner's to see; administrators see every one. */
async function mayRead(services: Services, actor: Actor, fileName: string): Promise<boolean> {
  const owners = await findOwners(services, fileName);
  const area = areaOf(actor.role);
  return owners.some(
    ({ id, partnerId }) => area === "admin" || (area === "partner" ? partnerId : id) === actor.organisationId,
  );
}

/** Whose file this is; without an id while it is the proposal of a visitor, empty for an unknown name. */
async function findOwners({ database }: Services, fileName: string) {
  const owner = { id: organisations.id, partnerId: organisations.partnerId };
  const proposals = await database
    .select(owner)
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(eq(quotes.proposalFile, fileName));
  if (proposals.length > 0) return proposals;
  return database
    .select(owner)
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(eq(invoices.file, fileName));
}
