import type { Obligation } from "../../contract/obligation-kinds.ts";
import { shippedOfSebi } from "./shipped-of-sebi.ts";
import { certInForm, completed, hours, type Shipped } from "./shipped-words.ts";

const ifsca = "IFSCA CSD0MSC/13/2025-DCS";
const ifscaStages: [stage: string, title: string, minutes: number][] = [
  ["report", "Report a cyber incident to IFSCA", hours(6)],
  ["interim", "Interim report to IFSCA", hours(3 * 24)],
  ["mitigation", "Mitigation report to IFSCA", hours(7 * 24)],
  ["root-cause", "Root cause analysis to IFSCA", hours(30 * 24)],
];

/** In GIFT City the IFSCA takes the place of RBI, SEBI and IRDAI. */
const ofIfsca: Shipped[] = ifscaStages.flatMap(([stage, title, minutes]) => {
  const common = {
    instrument: ifsca,
    paragraph: "paras 19-20",
    recipient: "cyber-incidents@ifsca.gov.in, copy to the CISO",
    note: "In an IFSC it takes the place of RBI, SEBI and IRDAI.",
  };
  return [
    {
      ...common,
      key: `ifsca-${stage}`,
      title,
      classes: ["ifsc"],
      exceptClasses: ["ifsc market infrastructure"],
      deadline: { kind: "relative", minutes, anchors: ["detected"] },
    },
    {
      ...common,
      key: `ifsca-mii-${stage}`,
      title: `${title} (market infrastructure)`,
      classes: ["ifsc market infrastructure"],
      deadline: { kind: "relative", minutes, anchors: ["detected", "brought to notice"] },
    },
  ];
});

const dpdp = "Digital Personal Data Protection Rules 2025, G.S.R. 846(E)";
const ofDpdp = (
  [
    {
      key: "dpdp-person",
      paragraph: "rule 7(1)",
      title: "Tell each person affected of a personal data breach",
      deadline: { kind: "immediate", anchors: ["aware"] },
      recipient: "Each person affected",
      formSeen: true,
      form: [
        { label: "Description of the breach: nature, extent, timing, location", fact: "data exposed" },
        { label: "When it occurred", fact: "occurred" },
        { label: "Consequences for the person", fact: "consequences" },
        { label: "Measures taken", fact: "actions taken" },
        { label: "Safety steps for the person", fact: "safety steps" },
        { label: "Business contact", fact: "contact" },
      ],
    },
    {
      key: "dpdp-board-at-once",
      paragraph: "rule 7(2)(a)",
      title: "Tell the Data Protection Board of a personal data breach",
      deadline: { kind: "immediate", anchors: ["aware"] },
      recipient: "Data Protection Board of India",
      formSeen: true,
      form: [
        { label: "Description", fact: "data exposed" },
        { label: "When it occurred", fact: "occurred" },
        { label: "Likely impact", fact: "impact" },
      ],
    },
    {
      key: "dpdp-board-72h",
      paragraph: "rule 7(2)(b)",
      title: "Detailed report to the Data Protection Board",
      deadline: { kind: "relative", minutes: hours(72), anchors: ["aware"] },
      recipient: "Data Protection Board of India",
      note: "Not in force before 13 May 2027; some read 14 May. The Board can extend it on written request.",
      formSeen: true,
      form: [
        { label: "Updated detail", fact: "data exposed" },
        { label: "Facts and reasons", fact: "symptoms" },
        { label: "Measures", fact: "actions taken" },
        { label: "Findings about who caused it", fact: "caused by" },
        { label: "Remedial measures", fact: "remedial measures" },
        { label: "Report on the intimations given", fact: "people told" },
      ],
    },
  ] satisfies Omit<Shipped, "instrument" | "classes">[]
).map((each): Shipped => ({
  note: "Not in force before 13 May 2027; some read 14 May.",
  ...each,
  instrument: dpdp,
  classes: ["data fiduciary"],
  requires: [{ fact: "personal data", is: true }],
  // Rules 3, 5 to 16, 22 and 23 begin eighteen months after publication.
  validFrom: "2027-05-13",
}));

const lodr = "SEBI (LODR) Regulations";
const rest: Shipped[] = [
  {
    key: "cert-in",
    instrument: "CERT-In Directions 20(3)/2022-CERT-In of 28 April 2022",
    paragraph: "direction (ii), Annexure I",
    title: "Report a cyber incident to CERT-In",
    classes: ["service provider", "intermediary", "data centre", "body corporate", "government"],
    requires: [{ fact: "types", any: "listed" }],
    deadline: { kind: "relative", minutes: hours(6), anchors: ["noticed", "brought to notice"] },
    recipient: "incident@cert-in.org.in; telephone 1800-11-4949; fax 1800-11-6969",
    form: certInForm,
    validFrom: "2022-06-27",
    note: "Small firms from 25 September 2022. Report what is known within the six hours, and supplement it later (FAQ 30). The duty can't be passed to a service provider (FAQ 13). Annexure II is the format of the point of contact, not of an incident.",
  },
  {
    key: "nciipc",
    instrument: "NCIIPC, for protected systems",
    paragraph: "as notified to the system",
    title: "Report an incident of a protected system to NCIIPC",
    classes: ["protected system"],
    deadline: { kind: "immediate", anchors: ["noticed"] },
    recipient: "NCIIPC",
    on: false,
    confidence: "L",
    note: "Sources differ: one says in time, one says six hours. Read what was notified for the system before this is switched on.",
  },
  {
    key: "rbi",
    instrument: "RBI Cybersecurity, Technology: Risk, Resilience and Assurance Framework Directions, 2026",
    paragraph: "RBI/DoS/2026-27/410 para 182 (commercial banks); RBI/DoS/2026-27/461 paras 28 and 141 (NBFCs)",
    title: "Report an incident to the RBI on DAKSH, and to CERT-In",
    classes: ["bank", "nbfc", "rbi other"],
    exceptClasses: ["ifsc", "ifsc market infrastructure"],
    deadline: { kind: "relative", minutes: hours(6), anchors: ["detected"] },
    recipient: "DAKSH (daksh.rbi.org.in), and CERT-In",
    validFrom: "2026-07-31",
    note: "It counts from detection. The window of two to six hours of the circular of 2016 (RBI/2015-16/418) is superseded.",
  },
  {
    key: "irdai",
    instrument: "IRDAI Information and Cyber Security Guidelines 2026 v2.0, IRDAI/GA&HR/CIR/MISC/51/4/2026",
    paragraph: "§3.6",
    title: "Report an incident to CERT-In with a copy to IRDAI",
    classes: ["insurer", "reinsurance branch", "insurance intermediary", "tpa", "iib"],
    exceptClasses: ["ifsc", "ifsc market infrastructure"],
    deadline: { kind: "relative", minutes: hours(6), anchors: ["noticed", "brought to notice"] },
    recipient: "CERT-In (incident@cert-in.org.in), copy to IRDAI",
    form: certInForm,
    validFrom: "2026-04-06",
    note: "The second step of 24 hours of the Guidelines of 2023 is gone.",
  },
  {
    key: "lodr-within",
    instrument: lodr,
    paragraph: "regulation 30(6)",
    title: "Disclose a material event from within the company to the stock exchanges",
    classes: ["listed"],
    requires: [
      { fact: "material", is: true },
      { fact: "origin", any: ["within"] },
    ],
    deadline: { kind: "relative", minutes: hours(12), anchors: ["occurred"] },
    recipient: "Stock exchanges",
  },
  {
    key: "lodr-outside",
    instrument: lodr,
    paragraph: "regulation 30(6)",
    title: "Disclose a material event from outside the company to the stock exchanges",
    classes: ["listed"],
    requires: [
      { fact: "material", is: true },
      { fact: "origin", any: ["outside"] },
    ],
    deadline: { kind: "relative", minutes: hours(24), anchors: ["occurred"] },
    recipient: "Stock exchanges",
  },
  {
    key: "lodr-quarterly",
    instrument: lodr,
    paragraph: "regulation 27(2)(ba)",
    title: "Cyber incidents in the quarterly governance report",
    classes: ["listed"],
    deadline: { kind: "calendar", afterMonths: [3, 6, 9, 12], days: null },
    recipient: "Stock exchanges",
    note: "Our source does not say on which day it is due.",
  },
];

/** The single list of shipped obligations: claims about law that a person has yet to verify (docs/obligations.md). */
export const shippedObligations: readonly Obligation[] = [...rest, ...shippedOfSebi, ...ofIfsca, ...ofDpdp].map(
  completed,
);
