import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import type { Profile } from "../../contract/accounts.ts";
import type { PaymentForm } from "../../contract/orders.ts";
import type { Quote } from "../../contract/quotes.ts";
import { ApiError, call } from "../api.ts";
import { showServerErrors } from "../forms/form-errors.ts";
import type { noOrder, OrderForm } from "./order-fields.tsx";

/** Starts the payment. A page that the browser's Back restores as it was left can start it again. */
export function usePayment({ id, revision }: Quote, amount: string, user: Profile | undefined, form: OrderForm) {
  const pay = useMutation({
    mutationFn: ({ takeOver = false, purchaseOrder, serviceStart }: typeof noOrder & { takeOver?: boolean }) =>
      call("user/orders", {
        email: user?.email ?? "",
        quote_id: id,
        revision,
        amount,
        name: user ? `${user.firstName} ${user.lastName}` : "",
        phone: user?.phoneNo ?? "",
        ...(purchaseOrder.trim() && { purchaseOrder }),
        ...(serviceStart && { serviceStart }),
        ...(takeOver && { takeOver }),
      }),
    onSuccess: postToGateway,
    onError: (error) => error instanceof ApiError && showServerErrors(form, error),
  });
  const { reset } = pay;
  useEffect(() => {
    const comeBack = ({ persisted }: PageTransitionEvent) => persisted && reset();
    addEventListener("pageshow", comeBack);
    return () => removeEventListener("pageshow", comeBack);
  }, [reset]);
  return pay;
}

/** Submits the gateway's fields as a hidden form: the browser navigates to the gateway's page. */
function postToGateway({ action, fields }: PaymentForm): void {
  const form = Object.assign(document.createElement("form"), { method: "post", action, hidden: true });
  for (const [name, value] of Object.entries(fields))
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  document.body.append(form);
  form.submit();
}
