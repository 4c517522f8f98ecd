import { Stack, Text } from "@mantine/core";
import type { Quote } from "../../contract/quotes.ts";
import { TaxLines } from "../billing/tax-lines.tsx";
import { TaxNotes } from "../billing/tax-notes.tsx";
import { showRupees } from "../components/display.ts";

/** What is bought, its taxes, and what is to be paid. */
export function QuoteSum({ quote }: { quote: Quote }) {
  return (
    <Stack gap={4} p="md" bg="var(--site-canvas)" style={{ borderRadius: 12 }}>
      <Text c="var(--site-muted)">
        {quote.number}: security operations centre for <bdi>{quote.organization_name}</bdi>, 12 months
      </Text>
      <Text fz={30} fw={700} className="tabular">
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
