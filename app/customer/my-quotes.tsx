import { Button, Text } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Quote } from "../../contract/quotes.ts";
import { isChild } from "../../contract/roles.ts";
import { type Column, DataTable } from "../lists/data-table.tsx";
import { showDay, showRupees } from "../components/display.ts";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { NumberAndDate } from "../components/number-and-date.tsx";
import { LongText } from "../components/long-text.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PdfViewer, type ViewedPdf } from "../documents/pdf-viewer.tsx";
import { SearchBox } from "../lists/search-box.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useList } from "../lists/use-list.ts";
import { useSession } from "../session.ts";
import { BuyQuote } from "./buy-quote.tsx";
import { EmailAddress } from "../components/email-address.tsx";

export const meta = () => [{ title: `My Quotes – ${brand.name}` }];

const preparingPollMs = 1500;
const payingPollMs = 10_000;

/** Its proposal is being made. */
const isPreparing = ({ state, pdf_url }: Quote) =>
  pdf_url === null && (state === "preparing" || state === "rates_to_confirm");
/** Its payment waits for the bank, or for a person's look. */
const isPaying = ({ order_status }: Quote) => order_status === "pending" || order_status === "review";
const mayBuy = (quote: Quote) => (quote.state === "open" || quote.state === "preparing") && !isPaying(quote);

const columns: readonly Column<Quote>[] = [
  {
    label: "Quote",
    cell: (quote) => <NumberAndDate number={quote.number} date={quote.created_at} />,
    sort: "created_at",
  },
  { label: "Organization", cell: (quote) => <bdi>{quote.organization_name}</bdi>, sort: "organization_name" },
  { label: "Name", cell: (quote) => <bdi>{quote.user_name}</bdi> },
  { label: "Email", cell: (quote) => <EmailAddress address={quote.user_email} />, width: 145 },
  { label: "Phone", cell: (quote) => <span style={{ whiteSpace: "nowrap" }}>{quote.phone_number}</span> },
  { label: "Users", cell: (quote) => quote.number_of_users.toLocaleString("en-IN"), numeric: true },
  {
    label: "Message",
    cell: (quote) => <LongText text={quote.message} />,
    width: 120,
  },
  {
    label: "Estimate",
    cell: (quote) => (
      <>
        <Text fw={650} mb={4}>
          {showRupees(quote.total_cost)}
        </Text>
        <QuoteState quote={quote} />
      </>
    ),
    numeric: true,
    sort: "total_cost",
  },
];

/** The organisation's quotes, with their proposals and the way to buy them. */
export default function MyQuotes() {
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<string>();
  const [viewed, setViewed] = useState<ViewedPdf | null>(null);
  const [bought, setBought] = useState<Quote | null>(null);
  const { role } = useSession();
  const list = useList("user/get-estimation", {
    search,
    sort,
    refetchInterval: (pages) => {
      const quotes = pages.flatMap((page) => page.estimation);
      if (quotes.some(isPreparing)) return preparingPollMs;
      return quotes.some(isPaying) ? payingPollMs : false;
    },
  });
  const quotes = list.rows;
  return (
    <>
      <PageTitle title="My Quotes" hint="Each proposal is valid for 30 days and can be bought once.">
        <SearchBox label="Search quotes" onSearch={setSearch} />
      </PageTitle>
      {list.isPending && <ListLoading />}
      {list.isError && <ListFailed message={messages.quotesFailed} onRetry={() => void list.refetch()} />}
      {list.isSuccess && quotes.length === 0 && (
        <ListEmpty message={messages.noQuotes}>
          <Text c="var(--site-muted)">
            {search ? "Try other words." : "Count your devices and we send a priced proposal within seconds."}
          </Text>
          {!search && role !== null && !isChild(role) && (
            <Button component={Link} to="/user/estimator" mt="sm" size="md">
              Open the estimator
            </Button>
          )}
        </ListEmpty>
      )}
      {quotes.length > 0 && (
        <DataTable
          caption="Quotes"
          columns={columns}
          rows={quotes}
          wide
          more={list.more}
          sorting={{ order: sort, onChange: setSort }}
          actions={(quote) => (
            <>
              {mayBuy(quote) && <Button onClick={() => setBought(quote)}>Buy Now</Button>}
              {isPaying(quote) && (
                <Button component={Link} to={`/user/payment?order=${quote.order_id}`} variant="light">
                  {quote.order_status === "pending" ? "Payment under way" : "Payment being checked"}
                </Button>
              )}
              <Button
                variant="default"
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
            </>
          )}
        />
      )}
      <PdfViewer pdf={viewed} onClose={() => setViewed(null)} />
      <BuyQuote quote={bought} onClose={() => setBought(null)} />
    </>
  );
}

const tones = {
  preparing: "neutral",
  rates_to_confirm: "warning",
  open: "info",
  bought: "good",
  expired: "warning",
} as const;

function QuoteState({ quote }: { quote: Quote }) {
  const text = {
    preparing: "Proposal being prepared",
    rates_to_confirm: "Rates being confirmed",
    open: `Valid until ${showDay(quote.valid_until)}`,
    bought: "Bought",
    expired: "Expired",
  };
  return (
    <>
      <StateBadge tone={tones[quote.state]}>{text[quote.state]}</StateBadge>
      {quote.state === "rates_to_confirm" && (
        <Text fz="xs" c="var(--site-muted)" mt={6} maw={220} ms="auto">
          Your custom devices have no listed price. Our team confirms their rates and mails you the final proposal; then
          you can buy it here.
        </Text>
      )}
    </>
  );
}
