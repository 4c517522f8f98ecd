import { and, eq } from "drizzle-orm";
import { organisationsIn, type Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import { invoices, orders, organisations, quotes } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

type Readers = Scope<"organisation" | "customers" | "any">;

const signedUrl = async (services: Services, { scope }: { scope: Readers }, { fileName }: { fileName: string }) => {
  if (!(await mayRead(services, scope, fileName))) throw notFound("This file");
  return { signedUrl: await services.files.signedUrl(fileName) };
};

export const fileHandlers = {
  "user/get-signed-url": signedUrl,
  "partner/get-signed-url": signedUrl,
  "admin/getSignedUrlByAdmin": signedUrl,
} satisfies Partial<Handlers>;

/** A file is its quote's or order's organisation's; a visitor's proposal is in everybody's scope only. */
async function mayRead({ database }: Services, scope: Readers, fileName: string): Promise<boolean> {
  const proposals = await database
    .select({ id: quotes.id })
    .from(quotes)
    .leftJoin(organisations, eq(organisations.id, quotes.organisationId))
    .where(and(eq(quotes.proposalFile, fileName), organisationsIn(scope)));
  if (proposals.length > 0) return true;
  const found = await database
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .innerJoin(organisations, eq(organisations.id, orders.organisationId))
    .where(and(eq(invoices.file, fileName), organisationsIn(scope)));
  return found.length > 0;
}
