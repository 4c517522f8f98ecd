import type { Area } from "./roles.ts";

interface MailKindFacts {
  name: string;
  about: string;
  canBeTurnedOff: boolean;
  /** The areas whose people get it; everybody if omitted. */
  areas?: readonly Area[];
}

/**
 * The kinds of mail that people can turn on and off. Mail that law or safety requires is always sent, and `about` says
 * why.
 */
export const mailKinds = {
  codes: {
    name: "Sign-in codes and links",
    about: "Always sent: without them nobody could sign in, accept an invitation or set a new password.",
    canBeTurnedOff: false,
  },
  account: {
    name: "Changes of your account",
    about: "Always sent: a changed password or a new account must not go unseen by its owner.",
    canBeTurnedOff: false,
  },
  payments: {
    name: "Payments, invoices and refunds",
    about: "Always sent: a tax invoice, and word of a refund, have to reach whoever paid.",
    canBeTurnedOff: false,
    areas: ["user"],
  },
  dues: {
    name: "Reminders of payments due",
    about:
      "Before a proforma or an invoice is due, on that day, and 7 and 30 days later. What is owed shows under Payments Due.",
    canBeTurnedOff: true,
    areas: ["user"],
  },
  proposals: {
    name: "Proposals made for you",
    about:
      "A quote that your partner or our team made or revised for you, with its PDF. What you ask for yourself always comes.",
    canBeTurnedOff: true,
    areas: ["user"],
  },
  renewals: {
    name: "The end and renewal of your contract",
    about: "The proposal for the next year, 60 days before the end, and reminders of it 30 and 7 days before.",
    canBeTurnedOff: true,
    areas: ["user"],
  },
  reports: {
    name: "Monthly service reports",
    about: "The report of a month with its retention certificate, when the month has ended. Both stay under Reports.",
    canBeTurnedOff: true,
    areas: ["user", "partner"],
  },
  onboarding: {
    name: "Reminders of your onboarding",
    about: "What is yours to do before everything that you pay for is watched; at most once a week, until it is done.",
    canBeTurnedOff: true,
    areas: ["user"],
  },
  regulators: {
    name: "Clocks of regulators",
    about:
      "A report to a regulator is due soon, by what is attested of an incident: once for each clock. The bell shows it in any case.",
    canBeTurnedOff: true,
    areas: ["user"],
  },
  incidentsP1: {
    name: "Incidents: P1, and those of unknown severity",
    about:
      "That one was opened, needs something from you, was contained, resolved or closed. The bell shows it in any case.",
    canBeTurnedOff: true,
    areas: ["user", "admin"],
  },
  incidentsP2: {
    name: "Incidents: P2",
    about: "The same of incidents of high severity.",
    canBeTurnedOff: true,
    areas: ["user", "admin"],
  },
  incidentsP3: {
    name: "Incidents: P3",
    about: "The same of incidents of medium severity.",
    canBeTurnedOff: true,
    areas: ["user", "admin"],
  },
  incidentsP4: {
    name: "Incidents: P4",
    about: "The same of incidents of low severity.",
    canBeTurnedOff: true,
    areas: ["user", "admin"],
  },
  reminders: {
    name: "Reminders of leads",
    about: "The next step of a lead that you own is due.",
    canBeTurnedOff: true,
    areas: ["admin"],
  },
  announcements: {
    name: "Announcements",
    about: "What we tell our customers and partners, such as planned maintenance. The bell shows it in any case.",
    canBeTurnedOff: true,
  },
} as const satisfies Record<string, MailKindFacts>;

export type MailKindName = keyof typeof mailKinds;

/** A kind that people may turn off. */
export type MailChoice = {
  [Name in MailKindName]: (typeof mailKinds)[Name]["canBeTurnedOff"] extends true ? Name : never;
}[MailKindName];

/** The kinds that reach people of an area. */
export function mailKindsOf(area: Area): MailKindName[] {
  const reaches = ({ areas }: MailKindFacts) => areas === undefined || areas.includes(area);
  return (Object.keys(mailKinds) as MailKindName[]).filter((name) => reaches(mailKinds[name]));
}

/** Whether this is a kind that people may turn off. */
export const canBeTurnedOff = (name: string): name is MailChoice =>
  Object.hasOwn(mailKinds, name) && mailKinds[name as MailKindName].canBeTurnedOff;
