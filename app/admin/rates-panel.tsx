import { SidePanel } from "../components/side-panel.tsx";
import { ConfirmRates } from "./confirm-rates.tsx";

export interface RatesPanelProps {
  /** Null while it is closed. */
  quoteId: string | null;
  mayConfirm: boolean;
  onClose: () => void;
}

/** The rates of a quote's custom devices, beside a list. */
export default function RatesPanel({ quoteId, mayConfirm, onClose }: RatesPanelProps) {
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
