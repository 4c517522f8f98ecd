import type { Area } from "./roles.ts";

interface MailKindFacts {
  name: string;
  about: string;
  canBeTurnedOff: boolean;
  /** Whom it reaches; everybody where nothing is said. */
  areas?: readonly Area[];
}

/** THE kinds of mail, as people choose among them. What law or safety needs always comes, and says why. */
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

/** A kind that somebody may turn off. */
export type MailChoice = {
  [Name in MailKindName]: (typeof mailKinds)[Name]["canBeTurnedOff"] extends true ? Name : never;
}[MailKindName];

/** The kinds that reach people of an area. */
export function mailKindsOf(area: Area): MailKindName[] {
  const reaches = ({ areas }: MailKindFacts) => areas === undefined || areas.includes(area);
  return (Object.keys(mailKinds) as MailKindName[]).filter((name) => reaches(mailKinds[name]));
}

/** Whether somebody may turn a kind off. */
export const canBeTurnedOff = (name: string): name is MailChoice =>
  Object.hasOwn(mailKinds, name) && mailKinds[name as MailKindName].canBeTurnedOff;
