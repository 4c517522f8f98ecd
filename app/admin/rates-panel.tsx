import { SidePanel } from "../components/side-panel.tsx";
import { ConfirmRates } from "./confirm-rates.tsx";

/** The rates of a quote's custom devices, beside the list of leads. */
export default function RatesPanel({
  quoteId,
  mayConfirm,
  onClose,
}: {
  quoteId: string | null;
  mayConfirm: boolean;
  onClose: () => void;
}) {
  return (
    <SidePanel
      opened={quoteId !== null}
      title={mayConfirm ? "Confirm Rates" : "Rates to Confirm"}
      subject={quoteId ?? ""}
      onClose={onClose}
    >
      {quoteId && <ConfirmRates quoteId={quoteId} readOnly={!mayConfirm} onDone={onClose} />}
    </SidePanel>
  );
}
