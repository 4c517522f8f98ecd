import type { Receivable } from "../../../contract/receivables.ts";
import { Dialog } from "../../components/dialog.tsx";
import OrderHistory from "../../orders/order-history.tsx";

export interface GiveBackDialogProps {
  /** Null while the dialog is closed. */
  receivable: Receivable | null;
  onClose: () => void;
}

/** The history of an order with a credit, where money that came by transfer is given back. */
export default function GiveBackDialog({ receivable, onClose }: GiveBackDialogProps) {
  return (
    <Dialog
      opened={receivable !== null}
      onClose={onClose}
      title={`Money of ${receivable?.order_number ?? "the order"}`}
      size="lg"
    >
      {receivable && <OrderHistory area="admin" id={receivable.order_id} />}
    </Dialog>
  );
}
