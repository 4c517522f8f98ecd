import { type NavigateOptions, useSearchParams } from "react-router";

type Change = (changed: Readonly<Record<string, string | null | undefined>>, options?: NavigateOptions) => void;

/** The address's parameters, and a function that changes some and keeps the rest; null or empty text removes one. */
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
