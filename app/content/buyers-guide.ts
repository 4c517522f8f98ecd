import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { hasShippedOffices } from "../../contract/shipped-offices.ts";

/** The meaning of the terms in the table of service levels. */
export const clockWords = [
  ["Acknowledged", "An analyst has taken the case, and you are told so for P1 and P2 by telephone."],
  [
    "Contained",
    "The attacker gets no further on the systems we watch: agreed steps have been taken. A step that needs your word stops the clock until you give it.",
  ],
  [
    "Resolved",
    "Cause and extent are known, our part is done, and what is left for your people to repair is written down for them.",
  ],
] as const;

export const scope = {
  included: [
    "Collecting, reading and searching the logs of every device in your contract, without a limit of volume",
    `Keeping these logs hot for ${limits.logRetentionDays} days`,
    "Watching and triage by analysts at every hour of the year",
    "Investigation, and containment by playbooks that you have approved",
    "Hunting for what no rule has found, and new detection rules from it",
    "Parsers for systems of your own, and the tuning of false alarms",
    "Your SIEM and SOAR dashboards, with an account for each of your people",
    "The facts of an incident in the order of CERT-In’s form, the monthly report on the service levels, compliance reports",
  ],
  excluded: [
    "Hardware, and the licences of security products you own",
    "Repairing and rebuilding machines: we advise and check, your people do",
    "Systems whose logs are not connected, however well they are known to us",
    "Filing a report with an authority: the duty stays with you and cannot be handed over",
    "Penetration tests, forensic reports for a court or a regulator, legal advice, certification audits",
    "Training of your staff other than the yearly exercise",
  ],
} as const;

/** A plan for some 300 devices; dates are agreed at kick-off. */
export const onboarding = [
  {
    weeks: "Week 1",
    title: "Kick-off",
    we: "Send the list of questions, open your accounts, make the plan with dates.",
    you: "Name the owners of systems and who may be called at night. Say which machines and accounts matter most.",
  },
  {
    weeks: "Week 2",
    title: "Collectors and access",
    we: "Set up the collector with you, check that it sends encrypted and keeps what it can’t send.",
    you: "Give one small virtual machine, outgoing connections, and read-only rights in the clouds.",
  },
  {
    weeks: "Weeks 3 and 4",
    title: "Sources, in order of risk",
    we: "Connect each, compare its events with what it should send, set its clock right, write missing parsers. From the first source on analysts look at its alerts.",
    you: "Change the settings of devices that only you may touch.",
  },
  {
    weeks: "Week 5",
    title: "Learning what is usual",
    we: "Tune rules and baselines. Write your playbooks down, and rehearse one with you.",
    you: "Say which alarms are no alarms. Approve playbooks, or refuse them.",
  },
  {
    weeks: "Week 6",
    title: "Watch in full",
    we: "Hand over the list of sources with what each sends. From this day the service levels are measured.",
    you: "Sign the list. What is not on it is not watched.",
  },
] as const;

export const placeOfData = [
  {
    title: "Every customer’s logs are stored in India",
    text: `That holds for customers in the United Arab Emirates too: there is no store outside India to choose. They stay there for ${limits.logRetentionDays} days, hot.`,
  },
  {
    title: "If your logs may not leave the Emirates",
    text: "Then this service is not for you as it is. Ask whoever is responsible for compliance on your side before you order, ideally with the list of systems in hand: often only some of them are bound. We do not tell you which rules bind you.",
  },
  {
    title: "What is seen from where",
    get text() {
      const seenFromDubai =
        " Our office in Dubai sees account data, such as names, quotes and orders, when it looks after you. It stores no logs.";
      return `Analysts work from India.${hasShippedOffices() ? seenFromDubai : ""}`;
    },
  },
  {
    title: "On paper",
    text: "The place of storage is in the service contract, which takes precedence over this page.",
  },
] as const;

export const waysToPay = [
  {
    title: "Online, at once",
    text: "Buy Now in My Quotes leads to the payment gateway’s own page. Order and GST invoice are in your account as soon as the payment is confirmed.",
  },
  {
    title: "By bank transfer",
    text: "Choose Bank transfer in Buy Now. The proforma invoice, with our bank account and a reference, is made at once and mailed to you. Call us on a number of this site before the first transfer: we never change bank details by e-mail. When all of it has arrived, the tax invoice follows. If you deduct tax at source, say so there and upload the certificate later.",
  },
  {
    title: "Against invoice, with your purchase order",
    get text() {
      return `Where we sell on credit, Buy Now offers it for a proposal that you have accepted in My Quotes. The tax invoice is made at once, and says by which day it is to be paid. The number of your purchase order goes into the same dialog, whichever way you pay, and stands on the invoice. Does your purchasing need another way? Write to ${brand.emails.sales}.`;
    },
  },
] as const;
