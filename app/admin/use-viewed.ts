import { useState } from "react";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";
import type { Subject } from "./details-panel.ts";

/** Whose panel is open beside a list: the one that was chosen there, or that a link names. */
export function useViewed(kind: Subject["kind"]): [Subject | null, (subject: Subject | null) => void] {
  const [chosen, setChosen] = useState<Subject | null>(null);
  const [email, close] = useOpenedByAddress();
  const linked = email === null ? null : { kind, email, name: email };
  const set = (subject: Subject | null) => {
    close();
    setChosen(subject);
  };
  return [linked ?? chosen, set];
}
