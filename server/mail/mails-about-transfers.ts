import type { Brand } from "../../contract/brand.ts";
import { formatRupees } from "../../contract/money.ts";
import type { BankAccount } from "../../contract/seller.ts";
import type { MailBody } from "./layout.ts";
import { helloTo } from "./words.ts";
import { paperDay } from "../outside/documents/paper.ts";

/** Mails to customers who pay by bank transfer or on invoice. */
export type MailAboutTransfer =
  | {
      template: "proforma";
      name: string;
      proformaNumber: string;
      reference: string;
      orderNumber: string;
      payPaise: number;
      /** The part still to be paid; all of it if missing. */
      openPaise?: number;
      /** As 2026-12-22. */
      dueOn: string;
      bank: BankAccount;
      link: string;
    }
  | { template: "advance"; name: string; receiptNumber: string; orderNumber: string; amountPaise: number; link: string }
  | {
      template: "advanceBack";
      name: string;
      voucherNumber: string;
      receiptNumber: string;
      orderNumber: string;
      amountPaise: number;
      bankReference: string;
      /** Whether it belongs to another order, and no money moved at the bank. */
      isMoved?: boolean;
      link: string;
    }
  | {
      template: "invoiceDue";
      name: string;
      invoiceNumber: string;
      orderNumber: string;
      totalPaise: number;
      /** What is owed of it now; 0 if nothing is owed although it was not paid, such as after a credit note. */
      payPaise: number;
      dueOn: string;
      bank: BankAccount;
      link: string;
    }
  | {
      template: "taxOwed";
      name: string;
      invoiceNumber: string;
      orderNumber: string;
      section: string;
      amountPaise: number;
      /** What the order owes: less than was deducted if the order had a credit. */
      owedPaise?: number;
      /** The tax still deducted, if the deduction was corrected. */
      leftPaise?: number;
      reason: string;
      dueOn: string;
      link: string;
    }
  | {
      template: "due";
      when: "before" | "on" | "after";
      name: string;
      /** The number of the proforma or invoice. */
      document: string;
      isInvoice: boolean;
      orderNumber: string;
      openPaise: number;
      dueOn: string;
      link: string;
    };

type Of<Name extends MailAboutTransfer["template"]> = Extract<MailAboutTransfer, { template: Name }>;

const bankFacts = ({ accountName, accountNumber, ifsc, bankName }: BankAccount): [string, string][] => [
  ["Account name", accountName],
  ["Account number", accountNumber],
  ["IFSC", ifsc],
  ["Bank", bankName],
];

const partOf = (payPaise: number, openPaise: number): [string, string][] => [
  ["Asked for", formatRupees(payPaise)],
  ["Arrived", formatRupees(payPaise - openPaise)],
];

const toPay = ({ payPaise, dueOn, bank }: Of<"invoiceDue">): [string, string][] => [
  ["To pay", formatRupees(payPaise)],
  ["By", paperDay(dueOn)],
  ...bankFacts(bank),
];

const notCertified = (invoiceNumber: string) => ({
  subject: `Tax deducted from invoice ${invoiceNumber} is still without a certificate`,
  heading: "Deducted tax without a certificate",
});
const corrected = (invoiceNumber: string) => ({
  subject: `Tax deducted from invoice ${invoiceNumber} was corrected`,
  heading: "Deducted tax was corrected",
});

const whenDue = { before: "is due soon", on: "is due today", after: "is overdue" } as const;

export const writersAboutTransfers = {
  proforma: ({ payPaise, openPaise = payPaise, ...mail }: Of<"proforma">, brand: Brand): MailBody => ({
    subject: `Your ${brand.name} proforma invoice ${mail.proformaNumber}`,
    preview: `Please transfer ${formatRupees(openPaise)} with the reference ${mail.reference}.`,
    heading: "Your proforma invoice",
    greeting: helloTo(mail.name),
    parts: [
      {
        text: "The proforma invoice is attached. Please write its reference into the transfer: by it we know whose money it is. The tax invoice follows as soon as all of it has arrived.",
      },
      {
        facts: [
          ...(openPaise < payPaise ? partOf(payPaise, openPaise) : []),
          ["To pay", formatRupees(openPaise)],
          ["Reference", mail.reference],
          ["By", paperDay(mail.dueOn)],
          ...bankFacts(mail.bank),
          ["Order", mail.orderNumber],
        ],
      },
      { button: "See what is to be paid", link: mail.link },
      {
        small: `We never write that our bank account has changed. Should a mail say so, please call ${brand.phones[0]} before you pay.`,
      },
    ],
  }),
  advance: ({ name, receiptNumber, orderNumber, amountPaise, link }: Of<"advance">, brand: Brand): MailBody => ({
    subject: `Your ${brand.name} receipt ${receiptNumber}`,
    preview: `We received ${formatRupees(amountPaise)} for the order ${orderNumber}.`,
    heading: "A part of your payment arrived",
    greeting: helloTo(name),
    parts: [
      { text: "The receipt for this advance is attached. The rest of the order is still to be paid." },
      {
        facts: [
          ["Received", formatRupees(amountPaise)],
          ["Receipt", receiptNumber],
          ["Order", orderNumber],
        ],
      },
      { button: "See what is to be paid", link },
      { small: `Does something about it look wrong? Write to ${brand.emails.support} and we will look into it.` },
    ],
  }),
  advanceBack: (mail: Of<"advanceBack">, brand: Brand): MailBody => ({
    subject: `Your ${brand.name} refund voucher ${mail.voucherNumber}`,
    preview: `${formatRupees(mail.amountPaise)} of the advance for the order ${mail.orderNumber} ${mail.isMoved ? "were taken off it" : "went back"}.`,
    heading: mail.isMoved ? "The voucher of what was taken off" : "The voucher of what went back",
    greeting: helloTo(mail.name),
    parts: [
      {
        text: mail.isMoved
          ? "The refund voucher is attached. It is for an advance that we had entered for this order and that belongs to another one. No money moves at your bank."
          : "The refund voucher is attached. It is for what we gave back of an advance for which there is no invoice.",
      },
      {
        facts: [
          [mail.isMoved ? "Taken off" : "Given back", formatRupees(mail.amountPaise)],
          ["Refund voucher", mail.voucherNumber],
          ["For receipt", mail.receiptNumber],
          ...(mail.isMoved ? [] : [["Bank reference", mail.bankReference] as [string, string]]),
          ["Order", mail.orderNumber],
        ],
      },
      { button: "See your payments", link: mail.link },
      { small: `Does something about it look wrong? Write to ${brand.emails.support} and we will look into it.` },
    ],
  }),
  invoiceDue: (mail: Of<"invoiceDue">, brand: Brand): MailBody => ({
    subject: `Your ${brand.name} invoice ${mail.invoiceNumber}`,
    preview:
      mail.payPaise === 0
        ? "Nothing of it is to be paid any more."
        : `${formatRupees(mail.payPaise)}, to be paid by ${paperDay(mail.dueOn)}.`,
    heading: "Your invoice",
    greeting: helloTo(mail.name),
    parts: [
      {
        text:
          mail.payPaise === 0
            ? "The tax invoice is attached. Nothing of it is to be paid any more."
            : "The tax invoice is attached. Please write its number into the transfer.",
      },
      {
        facts: [
          ["Invoice", mail.invoiceNumber],
          ["Total", formatRupees(mail.totalPaise)],
          ...(mail.payPaise === 0 ? [] : toPay(mail)),
          ["Order", mail.orderNumber],
        ],
      },
      { button: mail.payPaise === 0 ? "See your payments" : "See what is to be paid", link: mail.link },
      {
        small: `We never write that our bank account has changed. Should a mail say so, please call ${brand.phones[0]} before you pay.`,
      },
    ],
  }),
  taxOwed: ({ leftPaise, ...mail }: Of<"taxOwed">, brand: Brand): MailBody => ({
    ...(leftPaise === undefined ? notCertified : corrected)(mail.invoiceNumber),
    preview: `${formatRupees(mail.owedPaise ?? mail.amountPaise)} are to be paid by ${paperDay(mail.dueOn)}, or certified.`,
    greeting: helloTo(mail.name),
    parts: [
      {
        text:
          leftPaise === undefined
            ? "You deducted this tax from our invoice, and no certificate of it has reached us. Without one we can't claim it, so that it is owed again. If you have deposited it, please upload Form 16A on the page below: once it is matched, nothing more is to be paid."
            : "You said that you deduct this tax from our invoice, and that was corrected: less is deducted, and the rest is to be paid. If you have deposited more than is named below, please write to us.",
      },
      {
        facts: [
          ["Invoice", mail.invoiceNumber],
          ["Tax deducted", formatRupees(mail.amountPaise)],
          ...(leftPaise === undefined ? [] : [["Deducted now", formatRupees(leftPaise)] as [string, string]]),
          ["Section", mail.section],
          ["To pay", formatRupees(mail.owedPaise ?? mail.amountPaise)],
          ["Why", mail.reason],
          ["By", paperDay(mail.dueOn)],
          ["Order", mail.orderNumber],
        ],
      },
      { button: "Upload the certificate or see how to pay", link: mail.link },
      { small: `Is something wrong with it? Write to ${brand.emails.support} and we will look into it.` },
    ],
  }),
  due: (
    { when, name, document, isInvoice, orderNumber, openPaise, dueOn, link }: Of<"due">,
    brand: Brand,
  ): MailBody => ({
    subject: `${isInvoice ? "Invoice" : "Proforma invoice"} ${document} ${whenDue[when]}`,
    preview: `${formatRupees(openPaise)}, due on ${paperDay(dueOn)}.`,
    heading: `${isInvoice ? "An invoice" : "A proforma invoice"} ${whenDue[when]}`,
    greeting: helloTo(name),
    parts: [
      {
        text:
          when === "after"
            ? "This is still open with us. If you have transferred it already, please tell us the bank's reference on the page below, so that we can find it."
            : "This is a reminder of what is to be paid. If you have transferred it already, you need not do anything.",
      },
      {
        facts: [
          [isInvoice ? "Invoice" : "Proforma", document],
          ["Open", formatRupees(openPaise)],
          ["Due on", paperDay(dueOn)],
          ["Order", orderNumber],
        ],
      },
      { button: "See what is to be paid", link },
      { small: `Is something wrong with it? Write to ${brand.emails.support} and we will look into it.` },
    ],
  }),
};
