import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAddress } from "./use-address.ts";

/** Marks an address that was come to by opening a panel: the way back from it leads to its list. */
const openedHere = "opened here";

interface Opened {
  /** By the e-mail or the number in the address; null where nothing is open. */
  opened: string | null;
  open: (name: string) => void;
  close: () => void;
}

/** What is open beside a list, as its address says: a reload and a link find it open, and the way back closes it. */
export function useOpenedByAddress(): Opened {
  const [address, change] = useAddress();
  const navigate = useNavigate();
  const { key, state } = useLocation() as { key: string; state: unknown };
  const left = useRef<string | null>(null);
  useEffect(() => {
    if (left.current !== key) left.current = null;
  }, [key]);
  const opened = address.get("open");
  return {
    opened,
    open: (name) => change({ open: name }, { preventScrollReset: true, state: openedHere }),
    close: () => {
      // Closed twice before the address follows, it would leave the list too.
      if (opened === null || left.current === key) return;
      if (state !== openedHere) return change({ open: null }, { replace: true, preventScrollReset: true });
      left.current = key;
      void navigate(-1);
    },
  };
}
