import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { formatCount } from "../../contract/format-count.ts";
import { messages } from "../../contract/messages.ts";
import type { Quote, QuoteSort } from "../../contract/quotes.ts";
import type { DecideQuoteProps } from "./decide-quote.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { taxesInWords, unbrokenTaxes } from "../billing/tax-lines.tsx";
import { openedLater } from "../components/later.tsx";
import { NumberAndDate } from "../components/number-and-date.tsx";
import { LongText } from "../components/long-text.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { MadeBy, OfContract, QuoteStateBadge } from "../orders/quote-state.tsx";
import { useSession } from "../session.ts";
import { Amount } from "../components/unbroken.tsx";
import { AddressText, PhoneNumber } from "../components/address-text.tsx";

export const meta = () => [{ title: `My Quotes – ${brand.name}` }];

const preparingPollMs = 1500;
const payingPollMs = 10_000;

/** Whether its proposal is being made. */
const isPreparing = ({ state, pdf_url }: Quote) =>
  pdf_url === null && (state === "preparing" || state === "rates_to_confirm");
/** Whether its payment waits for the bank, or for a check by a person. */
const isPaying = ({ order_status }: Quote) => order_status === "pending" || order_status === "review";
const mayBuy = (quote: Quote) =>
  quote.decision !== "declined" && (quote.state === "open" || quote.state === "preparing") && !isPaying(quote);

/** The sum with tax, by the organisation's billing details. */
const payable = ({ tax, total_cost }: Quote) => tax?.total ?? total_cost;

const BuyQuote = openedLater<{ quote: Quote | null; onClose: () => void }>(() => import("./buy-quote.tsx"), {
  quote: null,
});

const DecideQuote = openedLater<DecideQuoteProps>(() => import("./decide-quote.tsx"), { quote: null });
/** Whether a decision is open, or one was made that can be read. */
const mayDecide = (quote: Quote) =>
  quote.decision !== null || (quote.state === "open" && quote.pdf_url !== null && !isPaying(quote));

const payments: Partial<Record<NonNullable<Quote["order_status"]>, string>> = {
  awaiting_transfer: "Waiting for your transfer",
  pending: "Payment under way",
  review: "Payment being checked",
};
const decisionOf = ({ decision }: Quote) =>
  decision === null ? "Accept or decline" : decision === "accepted" ? "Accepted" : "Declined";

const columns: readonly Column<Quote, QuoteSort>[] = [
  {
    label: "Quote",
    cell: (quote) => (
      <>
        <NumberAndDate number={quote.number} date={quote.created_at} />
        <MadeBy quote={quote} />
        <OfContract quote={quote} />
      </>
    ),
    text: (quote) => quote.number,
    sort: "created_at",
  },
  { label: "Made by", cell: (quote) => quote.made_by, text: (quote) => quote.made_by ?? "", fileOnly: true },
  {
    label: "Organization",
    cell: (quote) => <bdi>{quote.organization_name}</bdi>,
    text: (quote) => quote.organization_name,
    sort: "organization_name",
  },
  {
    label: "Name",
    cell: (quote) => <bdi>{quote.user_name}</bdi>,
    text: (quote) => quote.user_name,
    below: true,
  },
  {
    label: "Email",
    cell: (quote) => <AddressText address={quote.user_email} />,
    text: (quote) => quote.user_email,
    below: true,
  },
  {
    label: "Phone",
    cell: (quote) => <PhoneNumber number={quote.phone_number} />,
    text: (quote) => quote.phone_number,
    below: true,
  },
  {
    label: "Users",
    cell: (quote) => formatCount(quote.number_of_users),
    text: (quote) => quote.number_of_users,
  },
  {
    label: "Message",
    cell: (quote) => (quote.message ? <LongText text={quote.message} /> : "–"),
    text: (quote) => quote.message,
    width: 96,
    below: true,
  },
  {
    label: "Estimate",
    cell: (quote) => (
      <>
        <Text fw={650} fz="inherit" mb={4}>
          <Amount rupees={payable(quote)} />
        </Text>
        {quote.tax && <Taxes tax={quote.tax} />}
        <QuoteState quote={quote} />
      </>
    ),
    text: payable,
    numeric: true,
    sort: "total_cost",
  },
  {
    label: "Taxes",
    cell: (quote) => quote.tax && taxesInWords(quote.tax),
    text: (quote) => (quote.tax ? taxesInWords(quote.tax) : ""),
    fileOnly: true,
  },
];

/** The organisation's quotes, with their proposals and a way to buy them. */
export default function MyQuotes() {
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [bought, setBought] = useState<Quote | null>(null);
  const [decided, setDecided] = useState<Quote | null>(null);
  return (
    <>
      <ListPage
        name="user/get-estimation"
        refetchInterval={pauseUntilNextLook}
        title="My Quotes"
        hint="Each proposal is valid to the end of the day that it names, in India, and can be bought once."
        searchLabel="Search quotes"
        columns={columns}
        fileName="quotes"
        empty={messages.noQuotes}
        emptyHint={<NothingAsked />}
        failure={messages.quotesFailed}
        actions={(quote) => (
          <>
            {mayBuy(quote) && (
              <Button aria-label={`Buy Now ${quote.number}`} onClick={() => setBought(quote)}>
                Buy Now
              </Button>
            )}
            <ToPayment quote={quote} />
            <Button
              variant="default"
              aria-label={`View Proposal ${quote.number}`}
              disabled={isPreparing(quote)}
              onClick={() =>
                setViewed({
                  fileName: quote.pdf_url,
                  title: `Proposal ${quote.number}`,
                  failure: messages.proposalFailed,
                })
              }
            >
              View Proposal
            </Button>
            {mayDecide(quote) && (
              <Button
                variant="subtle"
                px={8}
                aria-label={`${decisionOf(quote)}: ${quote.number}`}
                onClick={() => setDecided(quote)}
              >
                {decisionOf(quote)}
              </Button>
            )}
          </>
        )}
      />
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
      <BuyQuote quote={bought} onClose={() => setBought(null)} />
      <DecideQuote
        quote={decided}
        onView={(fileName, title) => setViewed({ fileName, title, failure: messages.proposalFailed })}
        onClose={() => setDecided(null)}
      />
    </>
  );
}

/** Milliseconds while a proposal is being made or a payment is under way; else false, as nothing changes by itself. */
function pauseUntilNextLook(pages: readonly { estimation: Quote[] }[]): number | false {
  const quotes = pages.flatMap((page) => page.estimation);
  if (quotes.some(isPreparing)) return preparingPollMs;
  return quotes.some(isPaying) ? payingPollMs : false;
}

/** A link to the pending payment of a quote; nothing if there is none. */
function ToPayment({ quote: { number, order_id, order_status } }: { quote: Quote }) {
  const words = order_status && payments[order_status];
  if (!words) return null;
  return (
    <Button
      component={Link}
      to={order_status === "awaiting_transfer" ? "/user/payments-due" : `/user/payment?order=${order_id}`}
      variant="light"
      aria-label={`${words}: ${number}`}
    >
      {words}
    </Button>
  );
}

/** The taxes in the sum above; the dialog that buys the quote shows them in full. */
const Taxes = ({ tax }: { tax: NonNullable<Quote["tax"]> }) => (
  <Text fz="xs" c="var(--site-muted)" mb={6} maw={190} ms="auto">
    {unbrokenTaxes(tax)}
  </Text>
);

function NothingAsked() {
  const { role } = useSession();
  if (role !== "user")
    return <Text c="var(--site-muted)">The person who answers for your organization asks for a quote.</Text>;
  return (
    <>
      <Text c="var(--site-muted)">Count your devices and we send a priced proposal within seconds.</Text>
      <Button component={Link} to="/user/estimator" mt="sm" size="md">
        Open the estimator
      </Button>
    </>
  );
}

function QuoteState({ quote }: { quote: Quote }) {
  return (
    <>
      <QuoteStateBadge quote={quote} />
      {quote.state === "rates_to_confirm" && (
        <Text fz="xs" c="var(--site-muted)" mt={6} maw={190} ms="auto">
          Your custom devices have no listed price. Our team confirms their rates and mails you the final proposal; then
          you can buy it here.
        </Text>
      )}
    </>
  );
}
