import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { ListedPerson } from "../../contract/people.ts";
import { call } from "../api.ts";
import { isNoCustomer, noneOfYours } from "../components/customer-refused.tsx";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";
import { toast } from "../toast.ts";

type Viewed = Pick<ListedPerson, "email" | "status">;

/** Whose panel is open beside the list: the customer chosen there, or the one that a link names, if it is the partner's. */
export function useViewedCustomer(): [Viewed | null, (customer: Viewed | null) => void] {
  const [chosen, setChosen] = useState<Viewed | null>(null);
  const [email, close] = useOpenedByAddress();
  const name = "partner/get-user-by-partner-email";
  const linked = useQuery({
    queryKey: [name, { email }],
    queryFn: async ({ signal }) => (await call(name, { email: email ?? "" }, signal)).user[0] ?? null,
    enabled: email !== null,
  });
  const { data, error } = linked;
  const refusal =
    data === null || (error && isNoCustomer(error))
      ? noneOfYours
      : error && !data && `The customer could not be opened: ${error.message}`;
  useEffect(() => {
    if (refusal) toast.info(refusal, { id: `not opened: ${email}` });
  }, [email, refusal]);
  const set = (customer: Viewed | null) => {
    close();
    setChosen(customer);
  };
  return [email === null ? chosen : (data ?? null), set];
}
