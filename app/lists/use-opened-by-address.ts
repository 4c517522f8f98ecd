import { useEffect, useRef } from "react";
import { useLocation, useNavigate } from "react-router";
import { useAddress } from "./use-address.ts";

/** History state of an address reached by opening a panel: Back from it leads to the list. */
const openedHere = "opened here";

interface Opened {
  /** The e-mail or number in the address; null if nothing is open. */
  opened: string | null;
  open: (name: string) => void;
  close: () => void;
}

/** The panel open beside a list, from the address: a reload and a link find it open, and Back closes it. */
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
      // A second close before the address is updated would leave the list too.
      if (opened === null || left.current === key) return;
      if (state !== openedHere) return change({ open: null }, { replace: true, preventScrollReset: true });
      left.current = key;
      void navigate(-1);
    },
  };
}
