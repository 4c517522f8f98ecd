import { Dialog } from "../components/dialog.tsx";
import BillingForm from "./billing-form.tsx";
import type { BillingOf } from "./billing-of.ts";

/** A customer's billing details, in a dialog over its panel. */
export default function BillingDialog({ of, onClose }: { of: BillingOf | null; onClose: () => void }) {
  return (
    <Dialog opened={of !== null} onClose={onClose} title="Billing details" size="lg">
      {of && <BillingForm of={of} inDialog onSaved={onClose} />}
    </Dialog>
  );
}
