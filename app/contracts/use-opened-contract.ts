import { useState } from "react";
import type { Contract } from "../../contract/contracts.ts";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";
import type { OpenedContract } from "./contract-panel.tsx";

/** The contract whose panel is open beside a list; the address names its number. */
export function useOpenedContract(): {
  contract: OpenedContract | null;
  open: (contract: Contract) => void;
  close: () => void;
} {
  const { opened: number, open, close } = useOpenedByAddress();
  const [chosen, setChosen] = useState<Contract | null>(null);
  return {
    contract: number === null ? null : { number, chosen: chosen?.number === number ? chosen : null },
    open: (contract) => {
      setChosen(contract);
      open(contract.number);
    },
    close,
  };
}
