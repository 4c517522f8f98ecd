import type { ObligationWords } from "../../contract/obligation-kinds.ts";
import { hours, type Shipped } from "./shipped-words.ts";

const cscrf = "SEBI CSCRF, SEBI/HO/ITD-1/ITD_CSC_EXT/P/CIR/2024/113";
const reporting = "RS.CO.S1, p. 123 and Annexure-O, p. 198-203";
const regulated: ObligationWords["classes"] = ["sebi regulated", "stock broker", "depository participant"];
const exceptClasses: ObligationWords["classes"] = ["ifsc", "ifsc market infrastructure"];
const listed: ObligationWords["requires"] = [{ fact: "types", any: "listed" }];

const small =
  "Small and self-certified entities that are on-boarded to a Market SOC are exempt from some duties: ask your compliance officer.";
const fire =
  "Since the circular HO/(449)2026-ITD-5_DIV1/I/19448/2026 of 24 August 2026 the portal follows the FSB's FIRE format of 87 items, and reports come in stages: initial, intermediate, closure. The order below is from a secondary page.";

const portalForm: ObligationWords["form"] = [
  { label: "Category", fact: "types" },
  { label: "Time detected", fact: "detected" },
  { label: "Time of incident", fact: "occurred" },
  { label: "Severity (Table 35)", fact: "severity" },
  { label: "Impact on market infrastructure institutions", fact: "impact" },
  { label: "Affected systems", fact: "affected systems" },
  { label: "Exposure of investors' data, and its scope", fact: "data exposed" },
  { label: "Initial mitigation", fact: "actions taken" },
  { label: "ATT&CK techniques", fact: "techniques" },
  { label: "Attachment", fact: null },
];

const stages: [stage: string, title: string, days: number][] = [
  ["interim", "Interim report to SEBI", 3],
  ["mitigation", "Mitigation report to SEBI", 7],
  ["root-cause", "Root cause analysis to SEBI", 30],
  ["vapt", "VAPT report and closure to SEBI", 45],
];

const common = { instrument: cscrf, classes: regulated, exceptClasses };

export const shippedOfSebi: Shipped[] = [
  {
    ...common,
    key: "sebi-mail",
    paragraph: reporting,
    title: "Report an incident to SEBI by e-mail, and to CERT-In",
    requires: listed,
    deadline: { kind: "relative", minutes: hours(6), anchors: ["noticed", "detected", "brought to notice"] },
    recipient: "mkt_incidents@sebi.gov.in, and CERT-In",
    form: portalForm,
    filingIs: "reported to sebi",
    note: small,
  },
  {
    ...common,
    key: "sebi-portal",
    paragraph: reporting,
    title: "Report the incident on SEBI's Incident Reporting Portal",
    requires: listed,
    deadline: { kind: "relative", minutes: hours(24), anchors: ["noticed", "detected", "brought to notice"] },
    recipient: "SEBI Incident Reporting Portal (siportal.sebi.gov.in)",
    form: portalForm,
    filingIs: "reported to sebi",
    note: `${fire} ${small}`,
  },
  {
    ...common,
    key: "sebi-exchange",
    classes: ["stock broker", "depository participant"],
    paragraph: reporting,
    title: "Report the incident to the stock exchange or depository as well",
    requires: listed,
    deadline: { kind: "relative", minutes: hours(6), anchors: ["noticed", "detected", "brought to notice"] },
    recipient: "Your stock exchange or depository",
    form: portalForm,
    note: small,
  },
  {
    ...common,
    key: "sebi-other",
    paragraph: reporting,
    title: "Report an incident that is none of CERT-In's twenty kinds",
    requires: [{ fact: "types", any: "none" }],
    deadline: { kind: "relative", minutes: hours(24), anchors: ["noticed", "detected", "brought to notice"] },
    recipient: "SEBI, CERT-In and NCIIPC",
    form: portalForm,
    filingIs: "reported to sebi",
    note: "The text does not name what starts these 24 hours; the earliest time that is known is taken.",
  },
  ...stages.map(([stage, title, days]): Shipped => ({
    ...common,
    key: `sebi-${stage}`,
    paragraph: "Table 36",
    title,
    deadline: { kind: "relative", minutes: hours(24 * days), anchors: ["reported to sebi", "brought to notice"] },
    recipient: "SEBI",
    form: portalForm,
    note: small,
  })),
  {
    ...common,
    key: "sebi-forensic",
    paragraph: "4.1-4.3",
    title: "Forensic report to SEBI, at the latest",
    requires: [{ fact: "severity", any: ["high", "critical"] }],
    deadline: { kind: "relative", minutes: hours(24 * 75), anchors: ["reported to sebi"] },
    recipient: "SEBI",
    form: portalForm,
    note: "Only the day of reporting starts it.",
  },
  {
    ...common,
    key: "sebi-quarterly",
    paragraph: reporting,
    title: "Quarterly report on cyber incidents to SEBI",
    deadline: { kind: "calendar", afterMonths: [3, 6, 9, 12], days: 15 },
    recipient: "SEBI",
  },
];
