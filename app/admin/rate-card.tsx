import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { RateCardForm } from "./rate-card-form.tsx";

export const meta = () => [{ title: `Rate Card – ${brand.name}` }];

/** The prices in force: administrators change them, their child accounts read them. */
export default function RateCardScreen() {
  const mayCall = useMayCall();
  const card = useQuery({
    queryKey: ["admin/rate-card"],
    queryFn: ({ signal }) => call("admin/rate-card", {}, signal),
  });
  return (
    <>
      <PageTitle
        title="Rate Card"
        hint={
          card.data
            ? `In force since ${showTime(card.data.created_at)}. Quotes that were made keep their prices.`
            : "Yearly prices of the estimator."
        }
      />
      {card.data?.isSample && (
        <Alert color="orange" variant="light" role="note" mb="lg">
          These are sample prices, and every quote says so. Untick “Sample prices” below when they are your own.
        </Alert>
      )}
      {card.isPending && <ListLoading rows={6} />}
      {card.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void card.refetch()} />}
      {card.data && <RateCardForm card={card.data} readOnly={!mayCall("admin/updateRateCard")} />}
    </>
  );
}
