import { useState } from "react";
import { useOpenedByAddress } from "../lists/use-opened-by-address.ts";
import type { Subject } from "./details-panel.ts";

/** The person whose panel is open beside a list; the address names it by e-mail. */
export function useViewed(kind: Subject["kind"]): [Subject | null, (subject: Subject | null) => void] {
  const { opened: email, open, close } = useOpenedByAddress();
  const [chosen, setChosen] = useState<Subject | null>(null);
  const set = (subject: Subject | null) => {
    if (!subject) return close();
    setChosen(subject);
    open(subject.email);
  };
  if (email === null) return [null, set];
  return [chosen?.email === email ? chosen : { kind, email, name: email }, set];
}
