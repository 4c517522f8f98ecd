import type { MailChoice, MailKindName } from "../../contract/mail-kinds.ts";
import { canBeTurnedOff } from "../../contract/mail-kinds.ts";
import type { Turn } from "../jobs/turns.ts";
import type { MailContent } from "./templates.ts";

/** The kind of each template's mails; null for mails that belong to none. The type requires every template. */
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
  // A proposal that the receiver asked for is always sent; one that others had made can be turned off.
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
  // People named as contacts for an attack are always told.
  attack: () => null,
};

/** The kind that the receiver may turn off; null for a mail that is always sent. */
export function choiceOf(content: MailContent): MailChoice | null {
  const kind = kindOf(content);
  return kind !== null && canBeTurnedOff(kind) ? kind : null;
}

function kindOf(content: MailContent): MailKindName | null {
  const ofTemplate = kinds[content.template] as (content: MailContent) => MailKindName | null;
  return ofTemplate(content);
}

/**
 * The order of sending: people signing in or under attack are waiting, and codes expire soon; mails that the clock or
 * an announcement sends to thousands at once wait for all others.
 */
const turns: Record<MailKindName, Turn> = {
  codes: "urgent",
  account: "in order",
  payments: "in order",
  dues: "last",
  proposals: "in order",
  renewals: "last",
  reports: "last",
  onboarding: "last",
  regulators: "in order",
  incidentsP1: "urgent",
  incidentsP2: "urgent",
  incidentsP3: "in order",
  incidentsP4: "in order",
  reminders: "last",
  announcements: "last",
};

/** A mail's place in the queue. A mail without a kind reports an attack, or was requested just now. */
export function turnOf(content: MailContent): Turn {
  if (content.template === "attack") return "urgent";
  const kind = kindOf(content);
  return kind === null ? "first" : turns[kind];
}

/**
 * Whether a kind is sent only to people who may sign in at that time. An offer, its expiry and what is owed are always
 * sent.
 */
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

/** Whether a receiver who was suspended since the mail was written must not get it. */
export function needsEntry(content: MailContent): boolean {
  const kind = choiceOf(content);
  return kind !== null && isForThoseInside[kind];
}
