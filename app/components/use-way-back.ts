import { useEffect, useRef } from "react";

/**
 * For a button on what <Activity> hides while what it leads to is shown: the focus comes back to it when this is shown again.
 * What was hidden begins its effects anew then.
 */
export function useWayBack(go: () => void): (press: { currentTarget: HTMLElement }) => void {
  const left = useRef<HTMLElement | null>(null);
  useEffect(() => {
    left.current?.focus();
    left.current = null;
  }, []);
  return ({ currentTarget }) => {
    left.current = currentTarget;
    go();
  };
}
