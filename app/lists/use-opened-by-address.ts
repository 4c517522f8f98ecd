import { useSearchParams } from "react-router";

/** Whom a link wants to see beside a list, by e-mail; null for nobody. The second closes it, and the address forgets it. */
export function useOpenedByAddress(): [email: string | null, close: () => void] {
  const [address, setAddress] = useSearchParams();
  const email = address.get("open");
  const close = () => {
    if (email === null) return;
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete("open");
        return next;
      },
      { replace: true },
    );
  };
  return [email, close];
}
