import { Stack, Text } from "@mantine/core";
import { isOfYear } from "../../contract/proration.ts";
import type { Quote } from "../../contract/quotes.ts";
import { TaxLines } from "../billing/tax-lines.tsx";
import { TaxNotes } from "../billing/tax-notes.tsx";
import { showRupees, showWrittenDay } from "../components/display.ts";

type Summed = Pick<Quote, "number" | "organization_name" | "contract" | "total_cost" | "tax">;

/** Devices added to a contract are named with their term, which ends with the contract. */
function WhatIsBought({ quote: { organization_name, contract } }: { quote: Summed }) {
  const organization = <bdi>{organization_name}</bdi>;
  if (!contract || isOfYear(contract)) return <>security operations centre for {organization}, 12 months</>;
  const { number, from, to } = contract;
  return (
    <>
      devices added to {number} of {organization}, from {showWrittenDay(from)} to its end, {showWrittenDay(to)}
    </>
  );
}

/** What is bought, its taxes, and the sum to pay. */
export function QuoteSum({ quote }: { quote: Summed }) {
  return (
    <Stack gap={4} p="min(1rem, 3vw)" bg="var(--site-canvas)" style={{ borderRadius: 12 }}>
      <Text c="var(--site-muted)">
        {quote.number}: <WhatIsBought quote={quote} />
      </Text>
      <Text fz="min(1.875rem, 9vw)" fw={700} className="tabular">
        {showRupees(quote.tax?.total ?? quote.total_cost)}
      </Text>
      {quote.tax && (
        <>
          <Text fz="sm" c="var(--site-muted)">
            {quote.tax.taxes.length > 0 ? "GST included" : "No GST"}
          </Text>
          <TaxLines tax={quote.tax} />
          <TaxNotes tax={quote.tax} />
        </>
      )}
    </Stack>
  );
}
