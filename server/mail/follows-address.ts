import type { MailContent } from "./templates.ts";

/**
 * Whether a mail that waits goes to the address that its receiver has since. What opens an account stays with the address
 * that it was written to, and so does what tells whoever reads there about it. A template that is not here does not compile.
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
  // To our own mailbox, whose account that may be.
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
