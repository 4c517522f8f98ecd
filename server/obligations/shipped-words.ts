import type { Obligation, ObligationWords } from "../../contract/obligation-kinds.ts";

/** A shipped obligation, without the values that most have in common. */
export type Shipped = Pick<
  ObligationWords,
  "instrument" | "paragraph" | "title" | "classes" | "deadline" | "recipient"
> &
  Partial<ObligationWords> & { key: string };

export const hours = (count: number): number => 60 * count;

/** In the order in which CERT-In describes its report; we have not seen the fields of its present form. */
export const certInForm: ObligationWords["form"] = [
  { label: "Kind of incident (Annexure I)", fact: "types" },
  { label: "Time of occurrence", fact: "occurred" },
  { label: "Affected system or network", fact: "affected systems" },
  { label: "Symptoms", fact: "symptoms" },
  { label: "Security systems deployed", fact: "security systems" },
  { label: "Actions taken", fact: "actions taken" },
  { label: "Contact", fact: "contact" },
];

/** Our own order, for forms that we have not seen. */
const ownForm: ObligationWords["form"] = [
  { label: "Kind of incident", fact: "types" },
  { label: "Time of occurrence", fact: "occurred" },
  { label: "Time of detection", fact: "detected" },
  { label: "Affected systems", fact: "affected systems" },
  { label: "What was observed", fact: "symptoms" },
  { label: "Impact", fact: "impact" },
  { label: "Actions taken", fact: "actions taken" },
  { label: "Contact", fact: "contact" },
];

export const completed = ({ key, ...words }: Shipped): Obligation => ({
  on: true,
  exceptClasses: [],
  requires: [],
  form: ownForm,
  formSeen: false,
  filingIs: null,
  validFrom: null,
  validTo: null,
  confidence: "P",
  source: "A public compilation whose author read the official text; see docs/obligations.md",
  note: "",
  ...words,
  key,
  version: 0,
});
