import { eq } from "drizzle-orm";
import { paiseFrom } from "../../contract/money.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import type { Actor, Scope } from "../access/scope.ts";
import { audit, auditBeside } from "../audit/audit.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import type { Call } from "../call.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, quoteDecisions, quotes } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { termsOf } from "./proposal.ts";
import { hashOfTerms } from "./verify-acceptance.ts";

type Quote = typeof quotes.$inferSelect;
type Decided = Pick<typeof quoteDecisions.$inferInsert, "kind" | "name" | "designation" | "reason" | "proposalHash">;

/**
 * Records what was decided about a quote's revision, by whom, when and from where, and notifies those concerned. The
 * caller has locked the quote. Returns the decision's id.
 */
export async function recordDecision(
  services: Services,
  transaction: Transaction,
  { actor }: Scope<"organisation">,
  { address, userAgent }: Pick<Call, "address" | "userAgent">,
  quote: Quote,
  decided: Decided,
): Promise<string> {
  const terms = termsOf(quote);
  const [recorded] = await transaction
    .insert(quoteDecisions)
    .values({
      ...decided,
      quoteId: quote.id,
      revision: quote.revision,
      personId: actor.personId,
      email: actor.email,
      terms,
      termsHash: hashOfTerms(terms),
      address,
      userAgent: userAgent.slice(0, 300),
      decidedAt: services.now(),
    })
    .returning({ id: quoteDecisions.id });
  if (!recorded) throw new Error("The decision was not recorded");
  await transaction.update(quotes).set({ decision: decided.kind }).where(eq(quotes.id, quote.id));
  await auditDecision(transaction, actor, quote, decided);
  await tellDecision(services, transaction, actor, quote, decided);
  return recorded.id;
}

/** A typed reason may name people, so it is erased with the person who typed it. */
async function auditDecision(
  transaction: Transaction,
  { personId }: Actor,
  { id, revision }: Quote,
  { kind, reason }: Decided,
): Promise<void> {
  const action = kind === "accepted" ? "accept quote" : "decline quote";
  if (!reason) return audit(transaction, personId, action, `quote:${id}`, { revision });
  const told = { values: { reason }, detail: { revision } };
  await auditBeside(transaction, personId, action, { kind: "quote", id, typedBy: personId }, told);
}

async function tellDecision(
  { now }: Services,
  transaction: Transaction,
  actor: Actor,
  quote: Quote,
  { kind }: Decided,
): Promise<void> {
  const { total } = (await openTaxFor({ database: transaction, now }, quote.organisationId))(quote);
  const facts = {
    organizationName: quote.organizationName,
    quoteNumber: quoteNumber(quote.serial),
    totalPaise: paiseFrom(total),
  };
  const [customer] = await transaction
    .select({ partnerId: organisations.partnerId })
    .from(organisations)
    .where(eq(organisations.id, actor.organisationId));
  const news = kind === "accepted" ? "quote accepted" : "quote declined";
  await notify(transaction, news, `${quote.id}:${quote.revision}`, facts, {
    organisationId: quote.organisationId,
    // A partner does not list quotes that the customer asked for itself or that another partner made.
    isPartners: quote.partnerId !== null && quote.partnerId === customer?.partnerId,
    except: actor.personId,
  });
}
