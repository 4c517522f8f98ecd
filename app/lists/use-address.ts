import { type NavigateOptions, useNavigate, useSearchParams } from "react-router";

type Value = string | readonly string[] | null | undefined;
type Change = (changed: Readonly<Record<string, Value>>, options?: NavigateOptions) => void;

/** The parameters of a change that has not reached the address yet; the next one adds to them. */
let underWay: URLSearchParams | null = null;

/** The address's parameters with what is changed last, which the screen may be drawn with later. */
export const newestAddress = () => new URLSearchParams(underWay ?? window.location.search);

/** The address's parameters, and a function that changes some and keeps the rest; without a value, one is removed. */
export function useAddress(): [said: URLSearchParams, change: Change] {
  const [said] = useSearchParams();
  const navigate = useNavigate();
  const change: Change = (changed, options = { replace: true }) => {
    const next = newestAddress();
    for (const [name, value] of Object.entries(changed)) {
      const [first, ...others] = [value ?? []].flat();
      if (first) next.set(name, first);
      else next.delete(name);
      for (const other of others) next.append(name, other);
    }
    underWay = next;
    void Promise.resolve(navigate(`?${next.toString()}`, options)).finally(() => {
      if (underWay === next) underWay = null;
    });
  };
  return [said, change];
}
