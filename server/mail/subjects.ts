/** What mails are about, in words for people, by the first part of their event key. */
export const mailSubjects: Record<string, string> = {
  proposal: "Proposal",
  "acceptance-code": "Code that accepts a proposal",
  acceptance: "Accepted proposal",
  "renewal-due": "Reminder of a contract's end",
  "renewal-accepted": "Renewal accepted as chosen",
  receipt: "Receipt and invoice",
  proforma: "Proforma invoice",
  advance: "Receipt for an advance",
  "advance-back": "Refund voucher of an advance",
  "invoice-due": "Invoice to be paid",
  "invoice-cancelled": "Cancelled invoice",
  "tax-owed": "Deducted tax owed again",
  due: "Reminder of a payment due",
  lead: "Contact request to our sales",
  "lead-reminder": "Reminder of a next step",
  "service-report": "Service report of a month",
  onboarding: "Reminder of an onboarding",
  "clock-ends": "Reminder of a regulator's clock",
  announcement: "Announcement",
  incident: "Incident",
  attack: "Attack reported, to whom a customer wants called",
  "sign-in-code": "Sign-in code",
  reset: "Link to a new password",
  "password-changed": "Password was changed",
  welcome: "Welcome",
  "already-registered": "Address is registered already",
  "register-again": "How to register anew, where an address is not confirmed",
  invite: "Invitation",
  "confirm-email": "Link that confirms a corrected address",
  "email-to-be-corrected": "Address is to be corrected",
  "email-corrected": "Address was corrected",
};

/** What a mail is about, in words for people; its event key begins with the cause. */
export function subjectOf(eventKey: string): string {
  const cause = eventKey.slice(0, Math.max(0, eventKey.indexOf(":")));
  return mailSubjects[cause] ?? cause;
}
