import { formatRupees } from "../../contract/money.ts";
import { areaOf, isChild, type Role } from "../../contract/roles.ts";
import { writtenOnPaper } from "../mail/words.ts";
import { type NoticeFactsOfService, noticesOfService } from "./kinds-of-service.ts";
import { gstIn, type NoticeFactsOfContracts, noticesOfContracts } from "./kinds-of-contracts.ts";
import { type NoticeFactsOfIncidents, noticesOfIncidents } from "./kinds-of-incidents.ts";
import { found, type NoticeFactsOfRefunds, noticesOfRefunds } from "./kinds-of-refunds.ts";

/** The facts in each kind of notice. */
export interface NoticeFacts
  extends NoticeFactsOfContracts, NoticeFactsOfService, NoticeFactsOfIncidents, NoticeFactsOfRefunds {
  "payment received": Received;
  "payment failed": OfOrder & { quoteNumber: string };
  "payment to look at": OfOrder;
  "invoice cancelled": { invoiceNumber: string; orderNumber: string };
  "certificate refused": { orderNumber: string; reason: string };
  "quote made": PricedQuote;
  "quote revised": PricedQuote;
  "quote accepted": OfQuote & { organizationName: string; totalPaise: number };
  "quote declined": OfQuote & { organizationName: string; totalPaise: number };
  "dashboard opened": { organizationName: string; tool: "SIEM" | "SOAR" };
  "invitation accepted": { name: string; organizationName: string; role: Role; inviterRole: Role };
  "lead assigned": OfLead;
  "leads handed over": { ownerId: string; count: number };
  "lead due": OfLead & { nextStep: string };
  announcement: { title: string; text: string };
}
interface OfOrder {
  organizationName: string;
  orderNumber: string;
}
interface Received extends OfOrder {
  /** The money received for the order. */
  camePaise: number;
  deductedPaise?: number;
  /** What was paid beyond the sum due. */
  excessPaise?: number;
}
interface OfQuote {
  quoteNumber: string;
}
interface PricedQuote extends OfQuote {
  /** What the customer pays, including tax if there is any. */
  totalPaise: number;
  isTaxed: boolean;
  /** For an addition to a contract, as 2026-11-22; missing for a quote of a whole year. */
  contractEndsOn?: string;
}
interface OfLead {
  leadId: string;
  leadNumber: string;
  organizationName: string;
}

export type NoticeKind = keyof NoticeFacts;

/**
 * Who gets the notice: the people of the customer concerned, those of the customer's partner, all of our staff, or the
 * people named.
 */
export type Receivers = "customer" | "partner" | "provider" | "named";

export interface Telling<Facts> {
  to: Receivers;
  title(facts: Facts): string;
  text(facts: Facts): string;
  /** The path of the screen that shows it; empty for none. */
  link(facts: Facts): string;
}

const pricedFor = ({ totalPaise, contractEndsOn }: PricedQuote) =>
  `${formatRupees(totalPaise)} ${contractEndsOn ? `to the end of your contract, ${writtenOnPaper(contractEndsOn)}` : "for one year"}`;

/**
 * The screens on which each area lists the people it invited: into its own organisation, and with an organisation of
 * their own.
 */
const colleagues = { user: "/user/myuser", partner: "/partner/addmyuser", admin: "/admin/addmyuser" } as const;
const customers = { user: "/user/myuser", partner: "/partner/listuser", admin: "/admin/partnerList" } as const;
const leadPath = ({ leadId }: OfLead) => `/admin/estimateOrder?lead=${leadId}`;

const besidesMoney = ({ deductedPaise = 0 }: Received) =>
  deductedPaise > 0 ? `; ${formatRupees(deductedPaise)} were deducted as tax` : "";
const onTop = ({ excessPaise = 0 }: Received) =>
  excessPaise > 0 ? `; ${formatRupees(excessPaise)} of it are more than was to be paid, and stand as your credit` : "";
const receivedFor = (received: Received) =>
  `${formatRupees(received.camePaise)} for the order ${received.orderNumber}${besidesMoney(received)}.`;

/** Tells our staff, and the partner who made the quote, what the customer decided about it. */
const toldToSellers = (title: (quoteNumber: string) => string): readonly Telling<NoticeFacts["quote accepted"]>[] => {
  const told = {
    title: ({ quoteNumber }: OfQuote) => title(quoteNumber),
    text: ({ organizationName, totalPaise }: NoticeFacts["quote accepted"]) =>
      `The quote of ${organizationName} comes to ${formatRupees(totalPaise)}.`,
  };
  return [
    { ...told, to: "provider", link: ({ quoteNumber }) => found("/admin/estimateOrder", quoteNumber) },
    { ...told, to: "partner", link: ({ organizationName }) => found("/partner/listuser", organizationName) },
  ];
};

/** The table of all notices: what happened → who gets it → in which words → where it leads. */
export const noticeKinds: { [Kind in NoticeKind]: readonly Telling<NoticeFacts[Kind]>[] } = {
  "payment received": [
    {
      to: "customer",
      title: ({ orderNumber }) => `Payment of ${orderNumber} received`,
      text: (received) =>
        `${formatRupees(received.camePaise + (received.excessPaise ?? 0))} arrived${onTop(received)}${besidesMoney(received)}. The tax invoice is with the order.`,
      link: ({ orderNumber }) => found("/user/orderhistory", orderNumber),
    },
    {
      to: "partner",
      title: ({ organizationName }) => `${organizationName} has bought`,
      text: receivedFor,
      link: ({ organizationName }) => found("/partner/listuser", organizationName),
    },
    {
      to: "provider",
      title: ({ organizationName }) => `${organizationName} has paid`,
      text: receivedFor,
      link: ({ orderNumber }) => found("/admin/orderData", orderNumber),
    },
  ],
  "payment failed": [
    {
      to: "customer",
      title: ({ orderNumber }) => `A payment of ${orderNumber} did not go through`,
      text: ({ quoteNumber }) => `The quote ${quoteNumber} can be bought again while it is valid.`,
      link: ({ quoteNumber }) => found("/user/myquote", quoteNumber),
    },
  ],
  "payment to look at": [
    {
      to: "provider",
      title: ({ orderNumber }) => `The payment of ${orderNumber} needs a look`,
      text: ({ organizationName }) => `An order of ${organizationName} waits for one of us.`,
      link: () => "/admin/actions?queue=payments",
    },
  ],
  "invoice cancelled": [
    {
      to: "customer",
      title: ({ invoiceNumber }) => `The invoice ${invoiceNumber} is cancelled`,
      text: () => "It counts for nothing, and nothing is owed by it: please take it out of your books.",
      link: ({ orderNumber }) => found("/user/orderhistory", orderNumber),
    },
  ],
  "certificate refused": [
    {
      to: "customer",
      title: ({ orderNumber }) => `The certificate of the tax deducted of ${orderNumber} was refused`,
      text: ({ reason }) => `Please upload another one. Why: ${reason}`,
      link: () => "/user/payments-due",
    },
  ],
  ...noticesOfRefunds,
  "quote made": [
    {
      to: "customer",
      title: ({ quoteNumber }) => `A quote was made for you: ${quoteNumber}`,
      text: (quote) => `It comes to ${pricedFor(quote)}${gstIn(quote)}.`,
      link: ({ quoteNumber }) => found("/user/myquote", quoteNumber),
    },
  ],
  "quote revised": [
    {
      to: "customer",
      title: ({ quoteNumber }) => `The quote ${quoteNumber} was revised`,
      text: (quote) => `It comes to ${pricedFor(quote)} now${gstIn(quote)}.`,
      link: ({ quoteNumber }) => found("/user/myquote", quoteNumber),
    },
  ],
  "quote accepted": toldToSellers((quote) => `${quote} was accepted`),
  "quote declined": toldToSellers((quote) => `${quote} was declined`),
  ...noticesOfContracts,
  ...noticesOfService,
  ...noticesOfIncidents,
  "dashboard opened": [
    {
      to: "customer",
      title: ({ tool }) => `Your ${tool} dashboard is open`,
      text: () => "You find it on your dashboard.",
      link: () => "/user/dashboard",
    },
    {
      to: "partner",
      title: ({ tool, organizationName }) => `The ${tool} dashboard of ${organizationName} is open`,
      text: () => "The customer finds it on their dashboard.",
      link: ({ organizationName }) => found("/partner/listuser", organizationName),
    },
  ],
  "invitation accepted": [
    {
      to: "named",
      title: ({ name }) => `${name} has accepted your invitation`,
      text: ({ organizationName }) => `They sign in for ${organizationName} from now on.`,
      link: ({ name, role, inviterRole }) => found((isChild(role) ? colleagues : customers)[areaOf(inviterRole)], name),
    },
  ],
  "lead assigned": [
    {
      to: "named",
      title: ({ leadNumber }) => `The lead ${leadNumber} is yours`,
      text: ({ organizationName }) => `${organizationName} was assigned to you.`,
      link: leadPath,
    },
  ],
  "leads handed over": [
    {
      to: "named",
      title: ({ count }) => (count === 1 ? "One more lead is yours" : `${count} more leads are yours`),
      text: () => "They were handed over to you by an administrator.",
      link: ({ ownerId }) => `/admin/estimateOrder?state=open&owner=${ownerId}`,
    },
  ],
  "lead due": [
    {
      to: "named",
      title: ({ leadNumber }) => `The next step of ${leadNumber} is due`,
      text: ({ nextStep, organizationName }) => `${organizationName}: ${nextStep}`,
      link: leadPath,
    },
  ],
  announcement: [{ to: "named", title: ({ title }) => title, text: ({ text }) => text, link: () => "" }],
};
