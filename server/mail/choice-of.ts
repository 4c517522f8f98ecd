import type { MailChoice, MailKindName } from "../../contract/mail-kinds.ts";
import { canBeTurnedOff } from "../../contract/mail-kinds.ts";
import type { Turn } from "../jobs/turns.ts";
import type { MailContent } from "./templates.ts";

/** Which kind a mail is of; null for one to our own mailbox. A template without its kind does not compile. */
const kinds: {
  [Name in MailContent["template"]]: (content: Extract<MailContent, { template: Name }>) => MailKindName | null;
} = {
  signInCode: () => "codes",
  invitation: () => "codes",
  confirmEmail: () => "codes",
  passwordReset: () => "codes",
  passwordChanged: () => "account",
  emailCorrected: () => "account",
  welcome: () => "account",
  alreadyRegistered: () => "account",
  registerAgain: () => "account",
  // What somebody asked for comes; what others made for them is theirs to turn off.
  proposal: ({ partner, fromUs, term }) =>
    term?.kind === "renew" ? "renewals" : partner || fromUs ? "proposals" : null,
  renewal: () => "renewals",
  acceptanceCode: () => "codes",
  acceptance: () => null,
  receipt: () => "payments",
  creditNote: () => "payments",
  invoiceCancelled: () => "payments",
  refund: () => "payments",
  proforma: () => "payments",
  advance: () => "payments",
  advanceBack: () => "payments",
  invoiceDue: () => "payments",
  taxOwed: () => "payments",
  due: () => "dues",
  serviceReport: () => "reports",
  onboarding: () => "onboarding",
  clockEnds: () => "regulators",
  announcement: () => "announcements",
  lead: () => null,
  leadReminder: () => "reminders",
  incident: ({ severity }) => (severity === "unknown" ? "incidentsP1" : `incidents${severity}`),
  // Whoever is named as somebody to call in an attack is called.
  attack: () => null,
};

/** The kind that its receiver may turn off; null for a mail that comes in any case. */
export function choiceOf(content: MailContent): MailChoice | null {
  const kind = kindOf(content);
  return kind !== null && canBeTurnedOff(kind) ? kind : null;
}

function kindOf(content: MailContent): MailKindName | null {
  const ofTemplate = kinds[content.template] as (content: MailContent) => MailKindName | null;
  return ofTemplate(content);
}

/**
 * What goes out first: whoever signs in or is under attack waits for it, and a code is worth nothing soon; what the clock or an
 * announcement has for thousands of people at once waits for all else.
 */
const turns: Record<MailKindName, Turn> = {
  codes: "first",
  account: "in order",
  payments: "in order",
  dues: "last",
  proposals: "in order",
  renewals: "last",
  reports: "last",
  onboarding: "last",
  regulators: "in order",
  incidentsP1: "first",
  incidentsP2: "first",
  incidentsP3: "in order",
  incidentsP4: "in order",
  reminders: "last",
  announcements: "last",
};

/** When the queue sends a mail. One without a kind was asked for just now, or tells of an attack. */
export function turnOf(content: MailContent): Turn {
  const kind = kindOf(content);
  return kind === null ? "first" : turns[kind];
}

/** Whether a kind is for those alone who may enter when it goes out. An offer, its end and what is owed come all the same. */
const isForThoseInside: Record<MailChoice, boolean> = {
  dues: false,
  proposals: false,
  renewals: false,
  reports: true,
  onboarding: true,
  regulators: true,
  incidentsP1: true,
  incidentsP2: true,
  incidentsP3: true,
  incidentsP4: true,
  reminders: true,
  announcements: true,
};

/** Whether who has been suspended since it was written is not to have it. */
export function needsEntry(content: MailContent): boolean {
  const kind = choiceOf(content);
  return kind !== null && isForThoseInside[kind];
}
