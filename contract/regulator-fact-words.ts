/** Words of regulators' facts, apart from the schemas so that a page can use them without loading those. */

export interface FactKind {
  /** The type of its value: a point in time, kinds of Annexure I, yes or no, one of several, or words for a draft. */
  of: "time" | "types" | "yes or no" | "words" | { readonly [choice: string]: string };
  label: string;
  /** The question on the screen while nobody has answered it. */
  question: string;
  /** The person who can answer. */
  who: string;
}

const customersIt = "your head of IT, or our analysts";
const compliance = "your compliance officer";
const either = "whoever works on the incident";

/**
 * The facts of an incident from which regulators' clocks and drafts are made. Facts of words fill drafts and decide
 * nothing.
 */
export const factKinds = {
  types: {
    of: "types",
    label: "Kinds of incident by CERT-In's Annexure I",
    question: "Which of the twenty kinds of CERT-In's Annexure I is it?",
    who: customersIt,
  },
  occurred: { of: "time", label: "Occurred", question: "When did it happen?", who: customersIt },
  detected: { of: "time", label: "Detected", question: "When was it detected?", who: customersIt },
  noticed: { of: "time", label: "Noticed", question: "When did your people notice it?", who: "your head of IT" },
  "brought to notice": {
    of: "time",
    label: "Brought to notice",
    question: "When was it brought to your people's notice by somebody else?",
    who: "your head of IT",
  },
  aware: {
    of: "time",
    label: "Aware of a personal data breach",
    question: "When did you become aware that personal data are affected?",
    who: "your data protection officer",
  },
  classified: {
    of: "time",
    label: "Classified",
    question: "When was its severity classified?",
    who: compliance,
  },
  "reported to sebi": {
    of: "time",
    label: "Reported to SEBI",
    question: "When was it first reported to SEBI?",
    who: compliance,
  },
  "personal data": {
    of: "yes or no",
    label: "Personal data are affected",
    question: "Are personal data affected?",
    who: "your data protection officer",
  },
  severity: {
    of: { low: "Low", medium: "Medium", high: "High", critical: "Critical" },
    label: "Severity by Table 35 of SEBI's CSCRF",
    question: "Which severity has it by Table 35 of the CSCRF? Disruption of normal service makes it at least High.",
    who: compliance,
  },
  material: {
    of: "yes or no",
    label: "Material for the stock exchanges",
    question: "Is it material under your policy for LODR regulation 30?",
    who: "your company secretary",
  },
  origin: {
    of: { within: "From within the company", outside: "Not from within the company" },
    label: "Where the event comes from",
    question: "Does the event come from within the company?",
    who: "your company secretary",
  },
  "affected systems": {
    of: "words",
    label: "Affected systems or networks",
    question: "Which systems or networks are affected?",
    who: either,
  },
  symptoms: { of: "words", label: "Symptoms", question: "What was observed?", who: either },
  "security systems": {
    of: "words",
    label: "Security systems deployed",
    question: "Which security systems are deployed there?",
    who: customersIt,
  },
  "actions taken": { of: "words", label: "Actions taken", question: "What was done so far?", who: either },
  impact: {
    of: "words",
    label: "Impact",
    question: "What is the impact, also on the market or on people?",
    who: compliance,
  },
  "data exposed": {
    of: "words",
    label: "Exposure of data of investors or persons, and its scope",
    question: "Whose data are exposed, and how many?",
    who: "your data protection officer",
  },
  techniques: {
    of: "words",
    label: "ATT&CK techniques",
    question: "Which ATT&CK techniques were seen?",
    who: "our analysts",
  },
  consequences: {
    of: "words",
    label: "Likely consequences for the persons affected",
    question: "What may follow for the persons affected?",
    who: "your data protection officer",
  },
  "safety steps": {
    of: "words",
    label: "What the persons affected can do",
    question: "What should the persons affected do to be safe?",
    who: "your data protection officer",
  },
  "caused by": {
    of: "words",
    label: "Findings about who caused it",
    question: "What is known of who caused it?",
    who: either,
  },
  "remedial measures": {
    of: "words",
    label: "Remedial measures against a recurrence",
    question: "What is done so that it does not happen again?",
    who: customersIt,
  },
  "people told": {
    of: "words",
    label: "Intimations given to the persons affected",
    question: "Who of the persons affected was told, when and how?",
    who: "your data protection officer",
  },
  contact: {
    of: "words",
    label: "Contact for questions",
    question: "Who answers questions: name, role, e-mail and telephone?",
    who: compliance,
  },
} as const satisfies Record<string, FactKind>;

export type RegulatorFactKind = keyof typeof factKinds;
export const factKindNames = Object.keys(factKinds) as [RegulatorFactKind, ...RegulatorFactKind[]];

type KindOf<Of> = {
  [Kind in RegulatorFactKind]: (typeof factKinds)[Kind]["of"] extends Of ? Kind : never;
}[RegulatorFactKind];
/** Facts that clocks start from. */
export type TimeFact = KindOf<"time">;
export const timeFacts = factKindNames.filter((kind): kind is TimeFact => factKinds[kind].of === "time");
