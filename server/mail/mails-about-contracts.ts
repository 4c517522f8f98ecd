import type { Brand } from "../../contract/brand.ts";
import { formatRupees } from "../../contract/money.ts";
import type { MailBody } from "./layout.ts";
import { acceptedByChoice, dayOnPaper, helloTo, writtenOnPaper } from "./words.ts";

/** Mails about a contract, to the receiver of the next year's proposal. */
export type MailAboutContract = {
  template: "renewal";
  /** Its end is near, or the next year was accepted automatically, as somebody of the customer had chosen. */
  about: "due" | "accepted";
  name: string;
  contractNumber: string;
  quoteNumber: string;
  endsOn: string;
  /** The day on which it is accepted by itself, as was chosen, unless that is taken back before; as 2026-12-22. */
  acceptedOn?: string;
  validUntil: string;
  totalPaise: number;
  link: string;
};

export const writersAboutContracts: { renewal: (content: MailAboutContract, brand: Brand) => MailBody } = {
  renewal: ({ about, name, contractNumber, quoteNumber, endsOn, acceptedOn, validUntil, totalPaise, link }, brand) => ({
    subject:
      about === "due"
        ? `Your ${brand.name} contract ${contractNumber} ends on ${writtenOnPaper(endsOn)}`
        : `${quoteNumber} is accepted, as was chosen: please pay it`,
    preview: `${formatRupees(totalPaise)} for the next year.`,
    heading: about === "due" ? `${contractNumber} ends on ${writtenOnPaper(endsOn)}` : `${quoteNumber} is accepted`,
    greeting: helloTo(name),
    parts: [
      {
        text:
          about === "due"
            ? `The proposal for the next year is in your account. ${
                acceptedOn
                  ? `${acceptedByChoice(acceptedOn)} We keep no card and charge nothing: you pay it then.`
                  : "Nothing renews and nothing is charged unless somebody of your organization buys it."
              }`
            : "Somebody of your organization chose that the contract renews by itself, and nobody took it back: the proposal for the next year is accepted now. We keep no card and charge nothing: the next year begins once it is paid.",
      },
      {
        facts: [
          ["Contract", contractNumber],
          ["Last day", writtenOnPaper(endsOn)],
          ["Proposal for the next year", quoteNumber],
          ["Total", formatRupees(totalPaise)],
          ["Can be bought until", dayOnPaper(validUntil)],
        ],
      },
      { button: "Open your contract", link },
      { small: `Questions about it? Write to ${brand.emails.sales}.` },
    ],
  }),
};
