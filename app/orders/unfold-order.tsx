import type { Payment } from "../../contract/orders.ts";
import type { Area } from "../../contract/roles.ts";
import { shownLater } from "../components/later.tsx";
import type { Unfolded } from "../components/unfold.tsx";
import { ListLoading } from "../lists/list-state.tsx";
import type { OrderHistoryProps } from "./order-history.tsx";

const OrderHistory = shownLater<OrderHistoryProps>(
  () => import("./order-history.tsx"),
  () => <ListLoading rows={2} />,
);

/** An order's history, expanded below its row in a list. */
export const unfoldOrder =
  (area: Area) =>
  (order: Payment): Unfolded => ({
    label: "History",
    about: order.number,
    content: <OrderHistory area={area} id={order.id} listed={order} />,
  });

/** The same for staff, for an order of which only the id is known. */
export const unfoldOrderOf = (id: string, about: string): Unfolded => ({
  label: "Order",
  about,
  content: <OrderHistory area="admin" id={id} />,
});

export { OrderHistory };
