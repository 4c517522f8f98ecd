import { useState } from "react";
import { SidePanel } from "../components/side-panel.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { ConfirmRates } from "./confirm-rates.tsx";

export interface RatesPanelProps {
  /** Null while it is closed. */
  quoteId: string | null;
  mayConfirm: boolean;
  onClose: () => void;
}

const question = "What you typed is not saved. Leave without it?";

/** The rates of a quote's custom devices, beside a list. */
export default function RatesPanel({ quoteId, mayConfirm, onClose }: RatesPanelProps) {
  const [isDirty, setIsDirty] = useState(false);
  useKeepUnsaved(isDirty, "about these rates");
  return (
    <SidePanel
      opened={quoteId !== null}
      title={mayConfirm ? "Confirm Rates" : "Rates to Confirm"}
      subject={quoteId ?? ""}
      onClose={() => {
        if (!isDirty || window.confirm(question)) onClose();
      }}
    >
      {quoteId && <ConfirmRates quoteId={quoteId} readOnly={!mayConfirm} onDirty={setIsDirty} onDone={onClose} />}
    </SidePanel>
  );
}
