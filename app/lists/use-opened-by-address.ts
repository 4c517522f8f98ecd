import { useAddress } from "./use-address.ts";

/** Whom a link wants to see beside a list, by e-mail; null for nobody. The second closes it, and the address forgets it. */
export function useOpenedByAddress(): [email: string | null, close: () => void] {
  const [address, change] = useAddress();
  const email = address.get("open");
  const close = () => {
    if (email === null) return;
    change({ open: null });
  };
  return [email, close];
}
