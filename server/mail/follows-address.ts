import type { MailContent } from "./templates.ts";

/**
 * Whether a waiting mail is redirected when its receiver's address is corrected. Mails that give access to an account
 * stay with the address that they were written to, and so do those that tell that address's reader about it. The type
 * requires every template.
 */
const follows: Record<MailContent["template"], boolean> = {
  signInCode: false,
  invitation: false,
  confirmEmail: false,
  passwordReset: false,
  passwordChanged: false,
  emailCorrected: false,
  welcome: false,
  alreadyRegistered: false,
  registerAgain: false,
  acceptanceCode: false,
  // To our own mailbox, whoever has an account with its address.
  lead: false,
  proposal: true,
  renewal: true,
  acceptance: true,
  receipt: true,
  creditNote: true,
  invoiceCancelled: true,
  refund: true,
  proforma: true,
  advance: true,
  advanceBack: true,
  invoiceDue: true,
  taxOwed: true,
  due: true,
  serviceReport: true,
  onboarding: true,
  clockEnds: true,
  announcement: true,
  leadReminder: true,
  incident: true,
  attack: true,
};

/** The templates whose mails follow their receiver to a corrected address. */
export const templatesThatFollow = Object.entries(follows).flatMap(([template, does]) => (does ? [template] : []));
