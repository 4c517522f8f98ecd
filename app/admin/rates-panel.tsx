import { useState } from "react";
import { SidePanel } from "../components/side-panel.tsx";
import { leaveUnsaved } from "../components/use-keep-unsaved.ts";
import { ConfirmRates } from "./confirm-rates.tsx";

export interface RatesPanelProps {
  /** Null while the panel is closed. */
  quoteId: string | null;
  mayConfirm: boolean;
  onClose: () => void;
}

/** A side panel with the rates of a quote's custom devices. */
export default function RatesPanel({ quoteId, mayConfirm, onClose }: RatesPanelProps) {
  const [isDirty, setIsDirty] = useState(false);
  return (
    <SidePanel
      opened={quoteId !== null}
      title={mayConfirm ? "Confirm Rates" : "Rates to Confirm"}
      subject={quoteId ?? ""}
      onClose={() => {
        if (!isDirty || window.confirm(leaveUnsaved)) onClose();
      }}
    >
      {quoteId && <ConfirmRates quoteId={quoteId} readOnly={!mayConfirm} onDirty={setIsDirty} onDone={onClose} />}
    </SidePanel>
  );
}
