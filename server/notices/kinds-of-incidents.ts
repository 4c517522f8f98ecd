import {
  type ClockName,
  clockNames,
  type IncidentNews,
  incidentNews,
  type IncidentSeverity,
  severityNames,
} from "../../contract/incident-states.ts";
import type { Telling } from "./kinds.ts";

interface OfIncident {
  incidentId: string;
  incidentNumber: string;
  organizationName: string;
  title: string;
}
interface WithSeverity extends OfIncident {
  severity: IncidentSeverity;
}

/** The facts in each kind of notice about incidents. */
export interface NoticeFactsOfIncidents {
  "incident opened": WithSeverity;
  "attack reported": WithSeverity;
  "attack goes on": WithSeverity;
  "incident asks": WithSeverity;
  "incident answered": WithSeverity;
  "incident comment": WithSeverity;
  "incident moved": WithSeverity & { news: IncidentNews | "spreads" };
  "promise broken": OfIncident & { clock: ClockName };
  "finding disputed": { organizationName: string; title: string; email: string };
}

const own = ({ incidentId }: OfIncident) => `/user/incidents/${incidentId}`;
const partners = ({ incidentId }: OfIncident) => `/partner/incidents/${incidentId}`;
const ours = ({ incidentId }: OfIncident) => `/admin/incidents/${incidentId}`;
const whose = ({ organizationName, title }: OfIncident) => `${organizationName}: ${title}`;

const moved = ({ incidentNumber, news }: NoticeFactsOfIncidents["incident moved"]) =>
  `${incidentNumber}: ${news === "spreads" ? "not contained after all" : incidentNews[news].toLowerCase()}`;

/** Who is told what about incidents; part of `noticeKinds`. */
export const noticesOfIncidents: {
  [Kind in keyof NoticeFactsOfIncidents]: readonly Telling<NoticeFactsOfIncidents[Kind]>[];
} = {
  "incident opened": [
    {
      to: "customer",
      title: ({ incidentNumber, severity }) => `${incidentNumber} was opened: ${severityNames[severity]}`,
      text: ({ title }) => title,
      link: own,
    },
    {
      to: "partner",
      title: ({ incidentNumber, severity }) => `${incidentNumber} was opened: ${severityNames[severity]}`,
      text: whose,
      link: partners,
    },
    {
      to: "provider",
      title: ({ incidentNumber, severity }) => `${incidentNumber} was opened: ${severityNames[severity]}`,
      text: whose,
      link: ours,
    },
  ],
  "attack reported": [
    {
      to: "customer",
      title: ({ incidentNumber }) => `A colleague has reported an attack: ${incidentNumber}`,
      text: () => "It is open as a P1, and your contacts are being called.",
      link: own,
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} is under attack`,
      text: ({ incidentNumber }) => `${incidentNumber} is open as a P1.`,
      link: partners,
    },
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} is under attack: telephone now`,
      text: ({ incidentNumber }) => `${incidentNumber} is open as a P1. Its room says whom to telephone in turn.`,
      link: ours,
    },
  ],
  "attack goes on": [
    {
      to: "customer",
      title: ({ incidentNumber }) => `A colleague has reported more of the attack: ${incidentNumber}`,
      text: () => "What they told us is in its room.",
      link: own,
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} reports more of the attack`,
      text: ({ incidentNumber, severity }) => `${incidentNumber} is open as a ${severity}.`,
      link: partners,
    },
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} reports more of the attack: telephone now`,
      text: ({ incidentNumber, severity }) =>
        `${incidentNumber} is open as a ${severity}. What they told us is in its room.`,
      link: ours,
    },
  ],
  "incident asks": [
    {
      to: "customer",
      title: ({ incidentNumber }) => `${incidentNumber} needs something from you`,
      text: ({ title }) => title,
      link: own,
    },
    {
      to: "partner",
      title: ({ incidentNumber, organizationName }) => `${incidentNumber} needs something from ${organizationName}`,
      text: ({ title }) => title,
      link: partners,
    },
  ],
  "incident answered": [
    {
      to: "provider",
      title: ({ incidentNumber, organizationName }) => `${organizationName} wrote in ${incidentNumber}`,
      text: ({ title }) => title,
      link: ours,
    },
  ],
  "incident comment": [
    {
      to: "customer",
      title: ({ incidentNumber }) => `We wrote in ${incidentNumber}`,
      text: ({ title }) => title,
      link: own,
    },
  ],
  "incident moved": [
    {
      to: "customer",
      title: moved,
      text: ({ title }) => title,
      link: own,
    },
    {
      to: "partner",
      title: moved,
      text: whose,
      link: partners,
    },
  ],
  "promise broken": [
    {
      to: "provider",
      title: ({ incidentNumber, clock }) => `${incidentNumber}: ${clockNames[clock].toLowerCase()} is late`,
      text: whose,
      link: ours,
    },
  ],
  "finding disputed": [
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} disputes what became of a finding`,
      text: ({ title }) => title,
      link: ({ email }) => `/admin/incidents?customer=${encodeURIComponent(email)}&show=findings`,
    },
  ],
};
