import { and, eq } from "drizzle-orm";
import { type Actor, type Handlers, signedIn } from "../../call.ts";
import { invoices, orders, quotes } from "../../database/schema/index.ts";
import { notFound } from "../../errors.ts";
import type { Services } from "../../services.ts";

export const fileHandlers = {
  "user/get-signed-url": async (services, call, { fileName }) => {
    if (!(await ownsFile(services, signedIn(call), fileName))) throw notFound("This file");
    return { signedUrl: await services.files.signedUrl(fileName) };
  },
} satisfies Partial<Handlers>;

/** A file belongs to the organisation whose quote or invoice it is. */
async function ownsFile({ database }: Services, { organisationId }: Actor, fileName: string): Promise<boolean> {
  const [proposal] = await database
    .select({ id: quotes.id })
    .from(quotes)
    .where(and(eq(quotes.proposalFile, fileName), eq(quotes.organisationId, organisationId)));
  if (proposal) return true;
  const [invoice] = await database
    .select({ id: invoices.id })
    .from(invoices)
    .innerJoin(orders, eq(orders.id, invoices.orderId))
    .where(and(eq(invoices.file, fileName), eq(orders.organisationId, organisationId)));
  return invoice !== undefined;
}
