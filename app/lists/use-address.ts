import { type NavigateOptions, useSearchParams } from "react-router";

type Change = (changed: Readonly<Record<string, string | null | undefined>>, options?: NavigateOptions) => void;

/** What the address says, and what changes some of it: the rest stays. Nothing, or an empty text, takes a name away. */
export function useAddress(): [said: URLSearchParams, change: Change] {
  const [said, setAddress] = useSearchParams();
  const change: Change = (changed, options = { replace: true }) =>
    setAddress((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(changed))
        if (value) next.set(name, value);
        else next.delete(name);
      return next;
    }, options);
  return [said, change];
}
