import { and, desc, eq } from "drizzle-orm";
import { quoteNumber } from "../../contract/numbers.ts";
import { quotesIn } from "../access/scope.ts";
import { openTaxFor } from "../billing/bill-to.ts";
import { orders, organisations, quotes } from "../database/schema/index.ts";
import { boughtTax, isBought } from "../quotes/queries.ts";
import type { Services } from "../services.ts";
import type { ContractScope } from "./find-contract.ts";

/** The quotes within the scope that add to a contract or renew it and can still be bought. */
export async function findOpenQuotes(
  services: Services,
  scope: ContractScope,
  contractId: string,
  organisationId: string,
) {
  const rows = await services.database
    .select({ quote: quotes, orderState: orders.state, orderTax: orders.tax, orderOwedPaise: orders.owedPaise })
    .from(quotes)
    .innerJoin(organisations, eq(organisations.id, quotes.organisationId))
    .leftJoin(orders, eq(orders.quoteId, quotes.id))
    .where(and(eq(quotes.contractId, contractId), quotesIn(scope)))
    .orderBy(desc(quotes.id));
  const taxFor = await openTaxFor(services, organisationId);
  return rows.flatMap(({ quote, ...order }) => {
    const { term } = quote;
    if (!term || isBought(order.orderState) || quote.decision === "declined" || quote.validUntil < services.now())
      return [];
    return [
      {
        id: quote.id,
        number: quoteNumber(quote.serial),
        kind: term.kind,
        from: term.from,
        to: term.to,
        total: (boughtTax(order) ?? taxFor(quote)).total,
        valid_until: quote.validUntil.toISOString(),
        pdf_url: quote.proposalFile,
        rates_to_confirm: quote.ratesToConfirm,
      },
    ];
  });
}
