import { Alert, SegmentedControl, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { Rates } from "../../contract/rates.ts";
import { call } from "../api.ts";
import { isolated, showDay, showTime } from "../components/display.ts";
import { shownLater } from "../components/later.tsx";
import { keepTyped } from "../forms/kept-typed.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import { CardGroups } from "./rate-card/card-groups.tsx";
import { CardTerms } from "./rate-card/card-terms.tsx";
import { History } from "./rate-card/history.tsx";
import { SaveBar } from "./rate-card/save-bar.tsx";
import type { Per } from "./rate-card/type-row.tsx";
import { cardKeptAs, ratesKey, useCardEditor } from "./rate-card/use-card-editor.ts";

// Loaded later: there is nothing to compare until something is changed.
const Comparison = shownLater(
  () => import("./rate-card/comparison.tsx"),
  () => <ListLoading rows={2} />,
);

export const meta = () => [{ title: `Rate card – ${brand.name}` }];

/** The catalogue with its prices: administrators prepare and publish cards, their child accounts read them. */
export default function RateCardScreen() {
  const [per, setPer] = useState<Per>("year");
  const rates = useQuery({
    queryKey: ratesKey,
    queryFn: ({ signal }) => call("admin/rates", {}, signal),
  });
  return (
    <>
      <PageTitle
        title="Rate card"
        hint={
          rates.data
            ? `Card ${rates.data.inForce.number}, in force since ${showTime(rates.data.inForce.in_force_from)}. Existing quotes keep their prices.`
            : "The estimator's device types and their prices."
        }
      >
        <SegmentedControl
          aria-label="Prices by"
          value={per}
          onChange={(chosen) => setPer(chosen === "month" ? "month" : "year")}
          data={[
            { value: "year", label: "By the year" },
            { value: "month", label: "By the month" },
          ]}
        />
      </PageTitle>
      {rates.isPending && <ListLoading rows={6} />}
      {rates.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void rates.refetch()} />}
      {rates.data && <Card rates={rates.data} per={per} />}
    </>
  );
}

function Card({ rates, per }: { rates: Rates; per: Per }) {
  const mayCall = useMayCall();
  const readOnly = !mayCall("admin/rates/save-draft");
  const editor = useCardEditor(rates);
  useKeepUnsaved(editor.isDirty, "on the rate card", () => keepTyped(cardKeptAs, null));
  const { inForce, latest, draft } = rates;
  return (
    <>
      <Stack gap="xl">
        {inForce.isSample && (
          <Alert color="orange" variant="light" role="note">
            These are SAMPLE prices, and every quote says so, until you publish a card of your own.
          </Alert>
        )}
        {draft && (
          <Alert variant="light" role="note">
            This is a draft, saved by {isolated(draft.saved_by)} on {showTime(draft.saved_at)}. Customers get card{" "}
            {inForce.number} until it is published.
          </Alert>
        )}
        {latest.state === "coming" && (
          <Alert variant="light" role="note">
            Card {latest.number} comes into force on {showDay(latest.in_force_from)}. The next card builds on it.
          </Alert>
        )}
        <CardGroups editor={editor} latest={latest.content} per={per} readOnly={readOnly} />
        <CardTerms editor={editor} per={per} readOnly={readOnly} />
        {(editor.isDirty || draft) && <Comparison content={editor.content} isValid={editor.isValid} />}
        <History cards={rates.history} readOnly={readOnly} />
      </Stack>
      {!readOnly && <SaveBar editor={editor} rates={rates} />}
    </>
  );
}
