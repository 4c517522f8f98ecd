import type { Brand } from "../../contract/brand.ts";
import { type IncidentSeverity, severityNames } from "../../contract/incident-states.ts";
import type { MailBody } from "./layout.ts";
import { hello, helloTo, onPaper, shown } from "./words.ts";

/** Mails about incidents: to people with an account, and to a customer's contacts for an attack. */
export type MailAboutIncident =
  | {
      template: "incident";
      about: "opened" | "reported" | "asked" | "contained" | "spreads" | "resolved" | "closed" | "reopened";
      name: string;
      severity: IncidentSeverity;
      incidentNumber: string;
      organizationName: string;
      title: string;
      openedAt: string;
      link: string;
    }
  | { template: "attack"; incidentNumber: string; organizationName: string; reportedAt: string; link: string };

type About = Extract<MailAboutIncident, { template: "incident" }>["about"];

const words: Record<About, { subject: string; text: string }> = {
  opened: {
    subject: "was opened",
    text: "We are looking at it. The room of the incident shows each step, and the clocks that run.",
  },
  reported: {
    subject: "was reported once more",
    text: "Somebody of the organization below pressed “We are under attack” again. What they told us is in the room of the incident.",
  },
  asked: {
    subject: "needs something from you",
    text: "We need something from you to go on. You find it in the room of the incident: please answer there.",
  },
  contained: { subject: "is contained", text: "It can't spread any more. What is left to do is in its room." },
  spreads: {
    subject: "is not contained after all",
    text: "We said that it can't spread any more, and that was too early. What is being done about it is in its room.",
  },
  resolved: {
    subject: "is resolved",
    text: "What was done is in its room. Tell us there if you see it differently.",
  },
  closed: { subject: "is closed", text: "Nothing more has to be done. The room of the incident stays readable." },
  reopened: { subject: "was reopened", text: "We are looking at it again. The reason is in its room." },
};

export const writersAboutIncidents: {
  [Name in MailAboutIncident["template"]]: (
    content: Extract<MailAboutIncident, { template: Name }>,
    brand: Brand,
  ) => MailBody;
} = {
  incident: ({ about, name, severity, incidentNumber, organizationName, title, openedAt, link }, brand) => ({
    subject: `${severity === "unknown" ? "" : `${severity}: `}${incidentNumber} ${words[about].subject}`,
    preview: words[about].text,
    heading: `${incidentNumber} ${words[about].subject}`,
    greeting: helloTo(name),
    parts: [
      { text: words[about].text },
      {
        facts: [
          ["Incident", `${incidentNumber}, ${shown(title)}`],
          ["Severity", severityNames[severity]],
          ["Organization", shown(organizationName)],
          ["Detected", onPaper(openedAt)],
        ],
      },
      { button: "Open the incident", link },
      { small: `Something urgent? Telephone us; the numbers are at “We are under attack” in ${brand.name}.` },
    ],
  }),
  attack: ({ incidentNumber, organizationName, reportedAt, link }, brand) => ({
    subject: `URGENT: an attack on your organization was reported (${incidentNumber})`,
    preview: "You are named as somebody to call. Please telephone us.",
    heading: "An attack was reported",
    greeting: hello,
    parts: [
      {
        text: `Somebody of the organization below pressed “We are under attack” in ${brand.name}, and you are named there as somebody to call. Please telephone us or your colleagues now.`,
      },
      {
        facts: [
          ["Organization", shown(organizationName)],
          ["Incident", incidentNumber],
          ["Reported", onPaper(reportedAt)],
          ["Our telephone", brand.phones.join(", ")],
        ],
      },
      { button: "Open the incident", link },
      { small: "The button asks for your sign-in. If you have no account, telephone: what happened is told there." },
    ],
  }),
};
