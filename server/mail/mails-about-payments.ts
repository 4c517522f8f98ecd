import type { Brand } from "../../contract/brand.ts";
import { formatRupees } from "../../contract/money.ts";
import type { MailBody } from "./layout.ts";
import { helloTo, shown } from "./words.ts";

/** Mails to the payer, the receiver of a credit note, and the buyer whose invoice was cancelled. */
export type MailAboutPayment =
  | {
      template: "receipt";
      name: string;
      orderNumber: string;
      invoiceNumber: string;
      /** The invoice's total. */
      totalPaise: number;
      /** The parts not paid in money: tax deducted, and a small remainder written off. */
      deductedPaise?: number;
      givenUpPaise?: number;
      /** What was paid beyond the sum due, whatever happened to it since. */
      excessPaise?: number;
      paymentId: string;
      link: string;
    }
  | {
      template: "creditNote";
      name: string;
      creditNoteNumber: string;
      invoiceNumber: string;
      totalPaise: number;
      reason: string;
      link: string;
    }
  | {
      template: "invoiceCancelled";
      name: string;
      orderNumber: string;
      invoiceNumber: string;
      totalPaise: number;
      link: string;
    };

type Writers = {
  [Name in MailAboutPayment["template"]]: (
    content: Extract<MailAboutPayment, { template: Name }>,
    brand: Brand,
  ) => MailBody;
};

/** A row of facts, if the sum is not zero. */
const whereAny = (name: string, paise: number): [string, string][] => (paise > 0 ? [[name, formatRupees(paise)]] : []);

export const writersAboutPayments: Writers = {
  receipt: (
    {
      name,
      orderNumber,
      invoiceNumber,
      totalPaise,
      deductedPaise = 0,
      givenUpPaise = 0,
      excessPaise = 0,
      paymentId,
      link,
    },
    brand,
  ) => ({
    subject: `Your ${brand.name} payment and invoice ${invoiceNumber}`,
    preview: `We received ${formatRupees(totalPaise - deductedPaise - givenUpPaise + excessPaise)}.`,
    heading: "Thank you, your payment arrived",
    greeting: helloTo(name),
    parts: [
      {
        text: "The tax invoice is attached. Our team gets in touch about each device that is still to be connected; dashboards appear in your account when they are switched on.",
      },
      {
        facts: [
          ["Paid", formatRupees(totalPaise - deductedPaise - givenUpPaise)],
          ...whereAny("Tax deducted", deductedPaise),
          ...whereAny("Written off", givenUpPaise),
          ...whereAny("More than was to be paid", excessPaise),
          ["Invoice", invoiceNumber],
          ["Order", orderNumber],
          ["Payment", paymentId],
        ],
      },
      { button: "See the order", link },
      { small: `Did you not buy this? Write to ${brand.emails.support} and we will look into it.` },
      {
        small: "Mails about payments always come. To choose which others you get:",
        link: new URL("/user/account-settings?show=mails", link).href,
      },
    ],
  }),
  creditNote: ({ name, creditNoteNumber, invoiceNumber, totalPaise, reason, link }, brand) => ({
    subject: `Your ${brand.name} credit note ${creditNoteNumber}`,
    preview: `${formatRupees(totalPaise)} of invoice ${invoiceNumber}.`,
    heading: "Your credit note",
    greeting: helloTo(name),
    parts: [
      { text: "The credit note is attached. Your accountant needs it beside the invoice that it is for." },
      {
        facts: [
          ["Credited", formatRupees(totalPaise)],
          ["Credit note", creditNoteNumber],
          ["Invoice", invoiceNumber],
          ["Why", shown(reason)],
        ],
      },
      { button: "See the order", link },
      { small: `Does something about it look wrong? Write to ${brand.emails.support} and we will look into it.` },
    ],
  }),
  invoiceCancelled: ({ name, orderNumber, invoiceNumber, totalPaise, link }, brand) => ({
    subject: `The ${brand.name} invoice ${invoiceNumber} is cancelled`,
    preview: "Nothing is owed by it.",
    heading: "This invoice counts for nothing any more",
    greeting: helloTo(name),
    parts: [
      {
        text: "We have cancelled this tax invoice at the government's invoice portal. Nothing is owed by it: please take it out of your books, and claim no input tax by it. Our team settles with you what was paid of it.",
      },
      {
        facts: [
          ["Cancelled", invoiceNumber],
          ["Of", formatRupees(totalPaise)],
          ["Order", orderNumber],
        ],
      },
      { button: "See the order", link },
      { small: `Do you not know why? Write to ${brand.emails.support} and we will tell you.` },
    ],
  }),
};
