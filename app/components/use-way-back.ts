import { useEffect, useRef } from "react";

/**
 * For a button in an <Activity> that is hidden while the button's target is shown: the focus returns to the button when
 * the <Activity> is shown again, as its effects then run anew.
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
