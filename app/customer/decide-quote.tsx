import { Button, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Activity, useState } from "react";
import type { QuoteDecision } from "../../contract/quote-decisions.ts";
import type { Quote } from "../../contract/quotes.ts";
import { call } from "../api.ts";
import { Dialog } from "../components/dialog.tsx";
import { showTime } from "../components/display.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { AcceptQuote, forgetAcceptance } from "./accept-quote.tsx";
import { DeclineQuote, useDeclineForm } from "./decline-quote.tsx";
import { QuoteSum } from "./quote-sum.tsx";

export interface DecideQuoteProps {
  quote: Quote | null;
  onView: (file: string, title: string) => void;
  onClose: () => void;
}

/** Accepts or declines a proposal in the organisation's name, or shows who did. */
export default function DecideQuote({ quote, onView, onClose }: DecideQuoteProps) {
  return (
    <Dialog opened={quote !== null} onClose={onClose} title={quote ? `Proposal ${quote.number}` : ""} size="lg">
      {quote && <Decision quote={quote} onView={onView} onClose={onClose} />}
    </Dialog>
  );
}

function Decision({ quote, onView, onClose }: DecideQuoteProps & { quote: Quote }) {
  const [isDeclining, setIsDeclining] = useState(false);
  // Deciding either way forgets what was typed for both.
  const { form: declineForm, leave } = useDeclineForm(quote.id, onClose);
  const { data, isError, refetch } = useQuery({
    queryKey: ["user/quotes/terms", quote.id],
    queryFn: () => call("user/quotes/terms", { quote_id: quote.id }),
    // The terms must not change while somebody reads them, and the server refuses a decision about outdated ones. The
    // next opening must not start from the cache either.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    gcTime: 0,
  });
  if (!data && isError) return <ListFailed message="The terms could not be loaded." onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} radius="md" />;
  return (
    <Stack gap="md">
      <QuoteSum quote={data} />
      {data.decision ? (
        <Decided decision={data.decision} onView={(file) => onView(file, `Accepted proposal ${data.number}`)} />
      ) : (
        <>
          <Activity mode={isDeclining ? "hidden" : "visible"}>
            <AcceptQuote terms={data} onDecline={() => setIsDeclining(true)} onClose={leave} />
          </Activity>
          {isDeclining && (
            <DeclineQuote
              terms={data}
              form={declineForm}
              onBack={() => setIsDeclining(false)}
              onClose={() => {
                forgetAcceptance(quote.id);
                leave();
              }}
            />
          )}
        </>
      )}
    </Stack>
  );
}

function Decided({ decision, onView }: { decision: QuoteDecision; onView: (file: string) => void }) {
  const { kind, name, designation, reason, decided_at, file } = decision;
  return (
    <>
      <Text>
        <bdi>{name}</bdi>
        {designation && (
          <>
            , <bdi>{designation}</bdi>,
          </>
        )}{" "}
        {kind} this proposal on {showTime(decided_at)}.
      </Text>
      {reason && (
        <Text c="var(--site-muted)" style={{ whiteSpace: "pre-line" }}>
          {reason}
        </Text>
      )}
      {kind === "accepted" && (
        <Button disabled={file === null} onClick={() => file && onView(file)} style={{ alignSelf: "flex-start" }}>
          {file ? "View accepted proposal" : "Its copy with the evidence is being made"}
        </Button>
      )}
    </>
  );
}
