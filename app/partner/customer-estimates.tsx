import { Button, Text } from "@mantine/core";
import { IconCalculator } from "@tabler/icons-react";
import { Link } from "react-router";
import { messages } from "../../contract/messages.ts";
import type { Quote, QuoteSort } from "../../contract/quotes.ts";
import { NumberAndDate } from "../components/number-and-date.tsx";
import { Amount } from "../components/unbroken.tsx";
import type { ViewedPdf } from "../documents/pdf-viewer.tsx";
import type { Column } from "../lists/column.ts";
import { ListSection } from "../lists/list-section.tsx";
import { QuoteStateBadge } from "../orders/quote-state.tsx";
import { estimatePath } from "./estimate-path.ts";

const columns: readonly Column<Quote, QuoteSort>[] = [
  { label: "Quote", cell: (quote) => <NumberAndDate number={quote.number} date={quote.created_at} /> },
  { label: "Made by", cell: (quote) => <bdi>{quote.made_by}</bdi> },
  {
    label: "Estimate",
    cell: (quote) => (
      <Text fw={650} fz="inherit">
        <Amount rupees={quote.tax?.total ?? quote.total_cost} />
      </Text>
    ),
    numeric: true,
  },
  { label: "State", cell: (quote) => <QuoteStateBadge quote={quote} /> },
];

/** The quotes that the partner's people made for a customer, and a button to make another. */
export function CustomerEstimates({ email, onView }: { email: string; onView: (pdf: ViewedPdf) => void }) {
  return (
    <ListSection
      name="partner/get-estimation"
      input={{ email }}
      title="Estimates you made"
      aside={
        <Button
          component={Link}
          to={estimatePath(email)}
          variant="light"
          leftSection={<IconCalculator size={18} aria-hidden />}
        >
          Make an estimate
        </Button>
      }
      columns={columns}
      empty={messages.noQuotes}
      emptyHint="You count the devices; the customer gets the proposal and buys it in its own account."
      failure={messages.quotesFailed}
      actionsLabel="View"
      actions={(quote) => (
        <Button
          variant="default"
          disabled={quote.pdf_url === null}
          aria-label={`View Proposal ${quote.number}`}
          onClick={() =>
            onView({ fileName: quote.pdf_url, title: `Proposal ${quote.number}`, failure: messages.proposalFailed })
          }
        >
          View Proposal
        </Button>
      )}
    />
  );
}
