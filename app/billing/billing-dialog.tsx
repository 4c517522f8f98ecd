import { Dialog } from "../components/dialog.tsx";
import { keepTyped } from "../forms/kept-typed.ts";
import BillingForm from "./billing-form.tsx";
import { billingKeptAs, type BillingOf } from "./billing-of.ts";

/** A customer's billing details, over its panel. */
export default function BillingDialog({ of, onClose }: { of: BillingOf | null; onClose: () => void }) {
  const close = () => {
    if (of) keepTyped(billingKeptAs(of), null);
    onClose();
  };
  return (
    <Dialog opened={of !== null} onClose={close} title="Billing details" size="lg">
      {of && <BillingForm of={of} onSaved={onClose} />}
    </Dialog>
  );
}
