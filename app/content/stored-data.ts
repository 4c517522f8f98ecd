/** What the database and the log hold about people, what for and how long. It follows the tables: change both together. */
export const storedData = [
  {
    data: "Organisation: name; where given, GSTIN, billing address and state; the partner that looks after it; the time of a suspension",
    purpose: "Your account, quotes and tax invoices",
    kept: "While the account exists",
  },
  {
    data: "Person: first and last name, e-mail address, phone number, role, a one-way hash of the password, who invited the person and until when, the times of joining, of confirming the address and of a suspension",
    purpose: "Sign-in, rights within your organisation, messages about your account",
    kept: "While the account exists; an invitation until it is accepted or withdrawn",
  },
  {
    data: "Sessions: start, end, network address and the browser’s description of itself",
    purpose: "Keeping you signed in for up to 12 hours; noticing misuse",
    kept: "Until 30 days after the session’s end",
  },
  {
    data: "Sign-in codes and links by mail, each only as a hash, with the number of wrong tries",
    purpose: "Confirming that it is you",
    kept: "Codes a day, links 30 days after they expire",
  },
  {
    data: "Estimates and quotes: name, e-mail address, organisation, phone number, number of users, your message, the devices and prices, the proposal as a PDF",
    purpose: "Preparing the proposal you asked for, and talking to you about it",
    kept: "Until you ask for erasure; longer only where an order came of it",
  },
  {
    data: "Contact and demo requests: name, e-mail address, phone number, organisation and its size, your message",
    purpose: "Answering you",
    kept: "Until you ask for erasure, or we no longer need it for that",
  },
  {
    data: "Orders and payments: who bought what, amount, state, the gateway’s references and messages. Card numbers and bank passwords never reach us",
    purpose: "Taking payment once, proving it, refunds",
    kept: "As the invoices they belong to",
  },
  {
    data: "Tax invoices: who was billed, GSTIN, lines, taxes, the invoice as a PDF",
    purpose: "Our duties under tax and company law",
    kept: "At least eight financial years; see below",
  },
  {
    data: "Outgoing mail: recipient, kind, time and outcome. Its content is deleted once it is sent or can no longer be sent",
    purpose: "Sending each message once, and finding failures",
    kept: "While the account or request it belongs to exists",
  },
  {
    data: "Audit entries: who did what, and when; for sign-ins, granted or refused, also the network address and the kind of device",
    purpose: "Accountability; investigating incidents",
    kept: "As long as security and the law ask for it; not changed or deleted singly",
  },
  {
    data: "Counters against guessing, under a one-way hash of the e-mail or network address",
    purpose: "Slowing down attacks",
    kept: "Minutes to one day",
  },
  {
    data: "Server log: what failed or was refused, and when; for a refused sign-in the account and the network address. No passwords, codes or tokens",
    purpose: "Operating and securing the service",
    kept: "As CERT-In’s directions require: 180 days",
  },
] as const;
