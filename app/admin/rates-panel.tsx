import type { Quote } from "../../contract/quotes.ts";
import { SidePanel } from "../components/side-panel.tsx";
import { ConfirmRates } from "./confirm-rates.tsx";

/** The rates of a quote's custom devices, beside the list of leads. */
export default function RatesPanel({
  quote,
  mayConfirm,
  onClose,
}: {
  quote: Pick<Quote, "id"> | null;
  mayConfirm: boolean;
  onClose: () => void;
}) {
  return (
    <SidePanel
      opened={quote !== null}
      title={mayConfirm ? "Confirm Rates" : "Rates to Confirm"}
      subject={quote?.id ?? ""}
      onClose={onClose}
    >
      {quote && <ConfirmRates quoteId={quote.id} readOnly={!mayConfirm} onDone={onClose} />}
    </SidePanel>
  );
}
