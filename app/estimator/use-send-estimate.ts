import { useMutation, useQueryClient } from "@tanstack/react-query";
import { messages } from "../../contract/messages.ts";
import type { ListedPerson } from "../../contract/people.ts";
import { currentNotice } from "../../contract/privacy-notice.ts";
import { ApiError, call } from "../api.ts";
import { useSentId } from "../forms/use-sent-id.ts";
import { toast } from "../toast.ts";
import type { QuoteFormValues, Selection } from "./selection.ts";
import type { Sent } from "./sent-estimate.tsx";

/** Sends the user's own estimate, or a partner's for a customer; `refuse` receives the errors of fields. */
export function useSendEstimate(
  form: QuoteFormValues,
  selection: Selection,
  customer: ListedPerson | null,
  refuse: (fields: Record<string, string>) => void,
  onSent: (sent: Sent) => void,
) {
  const queries = useQueryClient();
  const request = useSentId();
  const send = () => {
    const selectedDevices = [...selection];
    if (!customer) {
      const own = { ...form, selectedDevices, noticeVersion: currentNotice };
      return call("estimator", { ...own, requestKey: request.idOf(own) });
    }
    const { numberOfUsers, message } = form;
    const estimate = { email: customer.email, numberOfUsers, message, selectedDevices };
    return call("partner/create-estimate", { ...estimate, requestKey: request.idOf(estimate) });
  };
  return useMutation({
    mutationFn: send,
    onSuccess: ({ quoteNumber, total_cost, proposalToken }) => {
      toast.success(customer ? messages.quoteSentToCustomer : messages.quoteSent);
      request.forget();
      onSent({ number: quoteNumber, total: total_cost, proposalToken, form, selection });
      for (const name of [
        "user/get-estimation",
        "partner/get-estimation",
        "partner/users",
        "partner/get-user-by-partner-email",
      ])
        void queries.invalidateQueries({ queryKey: [name] });
    },
    onError: (error) => {
      if (error instanceof ApiError) refuse(error.fields);
      toast.error(messages.quoteFailed);
    },
  });
}
