import { useState } from "react";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";

/** Whose panel is open beside the list, by e-mail: the customer chosen there, or the one that a link names. */
export function useViewedCustomer(): [string | null, (email: string | null) => void] {
  const [chosen, setChosen] = useState<string | null>(null);
  const [linked, close] = useOpenedByAddress();
  const set = (email: string | null) => {
    close();
    setChosen(email);
  };
  return [linked ?? chosen, set];
}
