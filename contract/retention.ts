import { brand } from "./brand.ts";

/** A kind of personal data: what it is, its purpose, and the ground for keeping it. */
export interface KeptData {
  what: string;
  purpose: string;
  because: string;
}

/** Kept for this many days after an event, then deleted by the software. */
export interface SweptData extends KeptData {
  days: number;
  after: string;
}

const oneYear = 365;
const logDuties =
  "The CERT-In Directions of 28 April 2022 ask for logs of 180 days, the DPDP Rules, 2025 for a year from 13 May 2027";
const yearOfRules = "From 13 May 2027 rule 8(3) of the DPDP Rules, 2025 asks for a year";

/**
 * All data that the software deletes after a period. The privacy notice prints it, and server/upkeep/retention.ts,
 * whose type demands a deletion for each entry, enforces it once a day.
 */
export const sweptData = {
  signInCodes: {
    what: "Sign-in codes, each only as a hash",
    purpose: "Confirming that it is you",
    days: 1,
    after: "they expire",
    because: "Of no use any more",
  },
  links: {
    what: "Links by mail to set a password, accept an invitation or confirm another e-mail address, each only as a hash; with the last the address",
    purpose: "Confirming that it is you",
    days: 30,
    after: "they expire",
    because: "Answering questions about a link that did not work",
  },
  sessions: {
    what: "Sessions: start, end, network address and the browser’s description of itself",
    purpose: "Keeping you signed in; showing you where you are signed in; finding misuse",
    days: oneYear,
    after: "they end",
    because: logDuties,
  },
  mails: {
    what: "Outgoing mail: recipient, kind, time and outcome. Its content is deleted as soon as it is sent or can no longer be sent",
    purpose: "Sending each message once, and finding failures",
    days: oneYear,
    after: "they are written",
    because: logDuties,
  },
  notices: {
    what: "Notices of the bell: what happened to your quotes, orders, dashboards, invitations and leads, announcements, which of them you have read and whose banner you have closed",
    purpose: "Telling you what happened since you last looked",
    days: 90,
    after: "they are written",
    because: "Of no use any more; what happened stands in the records themselves",
  },
  tasks: {
    what: "Tasks of the software: references to the records above and below; for a forgotten password the e-mail address typed",
    purpose: "Doing what was asked for, even after a failure",
    days: 7,
    after: "they are done",
    because: "Finding out why a task failed",
  },
  closedActions: {
    what: "What our staff dealt with by hand, such as a payment that needed a look: whose it was, what was wrong, who dealt with it and with which reason",
    purpose: "Dealing with it once, and answering questions about it",
    days: oneYear,
    after: "it was closed",
    because: logDuties,
  },
  engineFindings: {
    what: "What the engines that watch customers have found, as they report it: title, severity, time and device. Those of an incident, and those that somebody disputed, stay with it",
    purpose: "Showing what was found and what became of it; the monthly report",
    days: oneYear,
    after: "it was found",
    because: logDuties,
  },
  coverageDays: {
    what: "How many devices of each type were connected, by day; no device is named",
    purpose: "Showing what was watched; billing what was connected",
    days: oneYear,
    after: "that day, and after the last day of the contract that held it",
    because: "Answering questions about a contract that has ended",
  },
  contactRequests: {
    what: "Contact and demo requests: name, e-mail address, phone number, organisation and its size, your message; what our staff note while they deal with it: its state, the next step, notes, a GSTIN",
    purpose: "Answering you",
    days: 2 * oneYear,
    after: "you sent them",
    because: "Your consent; buying a service such as this may take that long",
  },
  visitorsEstimates: {
    what: "Estimates sent without an account: name, e-mail address, organisation, phone number, number of users, your message, the devices and prices, the proposals as PDF; what our staff note while they deal with it: its state, the next step, notes, a GSTIN",
    purpose: "Preparing the proposal you asked for, and talking to you about it",
    days: 2 * oneYear,
    after: "you sent them, unless you have registered meanwhile",
    because: "Your consent; buying a service such as this may take that long",
  },
  unconfirmedRegistrations: {
    what: "Registrations whose e-mail address nobody ever confirmed by signing in, with their organisation",
    purpose: "Letting you sign in",
    days: oneYear,
    after: "the registration",
    because: yearOfRules,
  },
  unansweredInvitations: {
    what: "People whom somebody invited and who never accepted: name, e-mail address, phone number",
    purpose: "Letting the person accept",
    days: oneYear,
    after: "the first invitation, once no invitation is open",
    because: yearOfRules,
  },
  unpaidOrders: {
    what: "Orders that were never paid, with what the payment gateway said about them",
    purpose: "Taking payment once, and answering questions about a failed one",
    days: 2 * oneYear,
    after: "their last change",
    because: "Your bank may ask about a failed payment long after",
  },
  strayPaymentMessages: {
    what: "Messages that came as if from the payment gateway and belong to no order",
    purpose: "Finding fraud and errors",
    days: oneYear,
    after: "they came",
    because: logDuties,
  },
  dataExports: {
    what: "Copies of your data as a ZIP, made when you ask for one",
    purpose: "Giving you what you asked for",
    days: 0,
    after: "a week has passed since they were made, which the software looks at once a day",
    because: "Of no use any more",
  },
  dataRequests: {
    what: "Requests for a copy of your data or their erasure: your e-mail address until you are erased, who of ours took it up, when, and what became of it",
    purpose: "Proving that we did what you asked for",
    days: 3 * oneYear,
    after: "they were done",
    because: "Claims from a contract can be brought for three years (Limitation Act, 1963, article 55)",
  },
  auditEntries: {
    what: "Audit entries: who did what to what, when and from which network address; what was there before and after a change, of which what tells of you as a person goes when you are erased; for sign-ins, granted or refused, also the kind of device. The people of your organisation can read those that concern it. Those about orders, invoices and contracts stay as long as these",
    purpose: "Accountability; investigating incidents",
    days: 3 * oneYear,
    after: "they were written",
    because: "Claims from a contract can be brought for three years (Limitation Act, 1963, article 55)",
  },
  counters: {
    what: "Counters against guessing, under a one-way hash of the e-mail or network address",
    purpose: "Slowing down attacks",
    days: 0,
    after: "they run out, which takes a day at most",
    because: "Of no use any more",
  },
  demoMails: {
    what: "In a demonstration only: mails, which are shown there instead of being sent",
    purpose: "Showing the product",
    days: 30,
    after: "they are written",
    because: "Of no use any more",
  },
  trialPayments: {
    what: "In a demonstration only: what was typed into the trial payment page",
    purpose: "Showing the product",
    days: oneYear,
    after: "they are made",
    because: "The trial gateway answers questions about its payments as a real one does",
  },
} as const satisfies Record<string, SweptData>;
export type SweptName = keyof typeof sweptData;

/** Data without a period that the software enforces: how long it stays, and who deletes it. */
export const otherData: readonly (KeptData & { kept: string })[] = [
  {
    what: "Organisation: name; where given, its billing details (legal name, what it is to GST, GSTIN, PAN, address, state or country, letter of undertaking, purchase order); the partner that looks after it; its quotes with what our staff note while they deal with them, and the addresses of its dashboards",
    purpose: "Your account, quotes and tax invoices",
    kept: "Until our staff end the account, when you ask for it",
    because: "Your consent, and the contract with your organisation",
  },
  {
    what: "Person: first and last name, e-mail address, phone number, role, a one-way hash of the password, who invited the person and until when, the times of joining, of confirming the address and of a suspension; which kinds of mail the person has turned off",
    purpose: "Sign-in, rights within your organisation, messages about your account",
    kept: "Until our staff end the account, when you ask for it",
    because: "Your consent",
  },
  {
    what: "Consent: for what it was given, when, and which version of this notice was shown",
    purpose: "Proving that you were told and agreed",
    kept: "Until the account, request or estimate it belongs to is deleted",
    because: "Whoever relies on consent has to prove it (section 6(10) of the DPDP Act)",
  },
  {
    what: "Paid orders, tax invoices and credit notes: who bought what and was billed, GSTIN, lines, taxes, the gateway’s references and messages, invoice and credit notes as PDFs; refunds with who of our staff asked for and agreed to them, and what the gateway settled; for bank transfers proforma invoices, receipts, refund vouchers, the bank’s reference and who paid by it, statements of our bank as far as they say this, tax that was deducted with the certificates you upload, and what is owed; contracts, with who asked for, decided or chose what, and why. Card numbers and bank passwords never reach us",
    purpose: "Taking payment once, proving it, refunds; our duties under tax and company law",
    kept: "For at least eight financial years; then our staff delete them, the software never does",
    because: "They are books of account and tax records; see below",
  },
  {
    what: "Proposals that were accepted or declined: who did so with name, designation and e-mail address, when, from which network address and browser, the terms and fingerprints of what was accepted, the accepted proposal as a PDF; of one that was declined the reason",
    purpose: "Proving what was agreed",
    kept: "One that was accepted as long as the contract can be disputed, at least three years after its end; then our staff delete it, the software never does. One that was declined as long as its quote",
    because: "Claims from a contract can be brought for three years (Limitation Act, 1963, article 55)",
  },
  {
    what: "Onboarding of your organisation: who does which step until when and who ticked it, your sites, who set the time zone. What your organisation is to regulators, the facts of incidents that people attest for their clocks, and the reports that people filed: who, what and when",
    purpose:
      "Setting up the service; counting and drafting what your organisation has to report, and proving what was known when",
    kept: "As long as the account of your organisation; what was attested and filed is evidence, which the software never changes",
    because: "The contract with your organisation, and its own duties to report",
  },
  {
    what: "Incidents: what was detected, reported, asked, answered, commented, attached and decided about them, by whom of your organisation, your partner or our staff and when; who opened an incident first and when; findings of the engines and what became of each; whom your organisation wants called in turn, with name, phone number and e-mail address, and who of them was reached",
    purpose: "Dealing with incidents, proving what was done and when, reports that a law asks of you",
    kept: "As long as the contract with your organisation can be disputed, at least three years after its end; then our staff delete them, the software never does. Whom to call goes with its erasure",
    because: "Claims from a contract can be brought for three years (Limitation Act, 1963, article 55)",
  },
  {
    what: "Server log: what failed or was refused, and when; for a refused sign-in the account and the network address. No passwords, codes or tokens",
    purpose: "Operating and securing the service",
    get kept() {
      return `For ${brand.promises.serverLogDays} days, by our hosting: the software writes the log and does not keep it`;
    },
    because: "The CERT-In Directions of 28 April 2022",
  },
  {
    what: "Backups of all of this",
    purpose: "Recovering from a loss",
    get kept() {
      return `For ${brand.promises.backupDays} days after they are made, the newest until there is another, by our hosting`;
    },
    because:
      "What was deleted leaves the backups with them; after a recovery the software deletes again what had passed its time, and we erase again what was erased on request",
  },
];

/** "1 day after they expire", "2 years after you sent them" */
export function keptFor({ days, after }: SweptData): string {
  if (days === 0) return `Until ${after}`;
  const [count, unit] = days % oneYear === 0 ? [days / oneYear, "year"] : [days, "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"} after ${after}`;
}
