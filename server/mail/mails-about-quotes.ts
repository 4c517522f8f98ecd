import type { Brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import { isOfYear } from "../../contract/proration.ts";
import type { MailBody } from "./layout.ts";
import { aboutYourData } from "./notice-link.ts";
import { acceptedByChoice, dayOnPaper, hello, helloTo, shown, writtenOnPaper } from "./words.ts";

interface Term {
  kind: "add" | "true up" | "renew";
  contractNumber: string;
  from: string;
  to: string;
}

/**
 * Mails about a quote: the proposal to the customer, and the code and confirmation to the signed-in person who accepts
 * it.
 */
export type MailAboutQuote =
  | {
      template: "proposal";
      organizationName: string;
      quoteNumber: string;
      totalPaise: number;
      /** Whether the total includes GST; missing in mails written before this was kept, where it does. */
      taxed?: boolean;
      validUntil: string;
      /** The state of custom devices' rates; missing without such devices. */
      rates?: "toConfirm" | "confirmed";
      /** The partner who had it made for its customer; missing if the receiver asked for it. */
      partner?: string;
      /** What our staff did with it; missing if it is as requested. */
      fromUs?: "made" | "revised";
      /** For a quote that adds to a contract or renews it; missing if buying it begins one. */
      term?: Term;
      /** The day on which a renewal is accepted by itself, as was chosen, unless that is taken back before. */
      acceptedOn?: string;
      link: string;
    }
  | { template: "acceptanceCode"; code: string; quoteNumber: string; totalPaise: number }
  | {
      template: "acceptance";
      name: string;
      quoteNumber: string;
      totalPaise: number;
      term?: Term;
      link: string;
    };

type Writers = {
  [Name in MailAboutQuote["template"]]: (
    content: Extract<MailAboutQuote, { template: Name }>,
    brand: Brand,
  ) => MailBody;
};

export const writersAboutQuotes: Writers = {
  proposal: (
    {
      organizationName,
      quoteNumber,
      totalPaise,
      taxed = true,
      validUntil,
      rates,
      partner,
      fromUs,
      term,
      acceptedOn,
      link,
    },
    brand,
  ) => ({
    subject: `Your ${brand.name} proposal ${quoteNumber}${proposalSuffix(rates, fromUs)}`,
    preview: `${formatRupees(totalPaise)}${isOfYear(term) ? " a year" : ""}, ${taxed ? "GST included" : "no GST"}.`,
    heading:
      rates === "confirmed"
        ? "Your rates are confirmed"
        : fromUs === "revised"
          ? "Your proposal is revised"
          : "Your proposal is attached",
    greeting: hello,
    parts: [
      rates === "confirmed"
        ? {
            text: "We have confirmed the rates of your custom devices. The attached proposal has the final prices and replaces the one before.",
          }
        : {
            text: term
              ? proposalOfContract(term, acceptedOn)
              : fromUs
                ? proposalFromUs[fromUs]
                : partner
                  ? proposalFromPartner
                  : proposalAsked,
          },
      {
        facts: [
          ["Proposal", quoteNumber],
          [`${totalOf(term)}, ${taxed ? "GST included" : "no GST"}`, formatRupees(totalPaise)],
          ...(term ? contractFacts(term) : []),
          ["Valid until", dayOnPaper(validUntil)],
          ["Prepared for", shown(organizationName)],
          ...(partner ? [["Asked for by your partner", shown(partner)] as [string, string]] : []),
        ],
      },
      rates === "toConfirm"
        ? {
            text: "Some of your devices have no listed price: they stand at a default rate, marked “subject to confirmation”. You need not do anything: our team confirms their rates and mails you the final proposal. You can buy it from then on, signed in with this e-mail address.",
          }
        : {
            text: term
              ? "To buy it online, sign in: the quote is in your account."
              : "To buy it online, sign in or register with this e-mail address: the quote will be in your account.",
          },
      { button: "See the quote", link },
      {
        small: acceptedOn
          ? "If you did not expect it, look under Contract: who chose it stands there, and it can be taken back until the day before."
          : partner || term || fromUs
            ? "If you did not expect it, you need not do anything: a proposal binds you to nothing."
            : "If you did not ask for it, someone typed your address by mistake. You need not do anything: a proposal binds you to nothing.",
      },
      aboutYourData(link),
    ],
  }),
  acceptanceCode: ({ code, quoteNumber, totalPaise }, brand) => ({
    subject: `Your code to accept ${quoteNumber}`,
    preview: `It is valid for ${limits.otpMinutes} minutes.`,
    heading: `Your code to accept ${quoteNumber}`,
    greeting: hello,
    parts: [
      {
        text: `Enter this code to accept the proposal ${quoteNumber} over ${formatRupees(totalPaise)} in the name of your organization. It is valid for ${limits.otpMinutes} minutes.`,
      },
      { code },
      {
        small: `Is it not you who accepts it? Then somebody else is signed in to your account: please change your password and tell us at ${brand.emails.support}. Nobody from our team will ever ask you for this code.`,
      },
    ],
  }),
  acceptance: ({ name, quoteNumber, totalPaise, term, link }, brand) => ({
    subject: `You have accepted ${quoteNumber}`,
    preview: "The accepted proposal is attached.",
    heading: "The accepted proposal is attached",
    greeting: helloTo(name),
    parts: [
      {
        text: "Its last page says who accepted it, when and from where, and has the fingerprints by which anybody can see that nothing was changed since.",
      },
      {
        facts: [
          ["Proposal", quoteNumber],
          [totalOf(term), formatRupees(totalPaise)],
          ...(term ? contractFacts(term) : []),
        ],
      },
      { button: "Open my quotes", link },
      { small: `Did you not accept it? Please tell us at once: ${brand.emails.support}.` },
    ],
  }),
};

const proposalAsked =
  "Thank you for telling us about your devices. The attached proposal lists them with their prices and says what the service includes.";
const proposalFromPartner =
  "Your partner has had this proposal made for you. It lists your devices with their prices and says what the service includes.";
const proposalFromUs = {
  made: "Our team has put together a proposal for you. It is attached, with the prices of your devices and what the service includes.",
  revised: "We have revised your proposal. The attached one has the prices that hold now and replaces the one before.",
};

const totalOf = (term: Term | undefined) => (isOfYear(term) ? "Total for one year" : "Total");

const contractFacts = ({ contractNumber, from, to }: Term): [string, string][] => [
  ["Contract", contractNumber],
  ["From", writtenOnPaper(from)],
  ["To", writtenOnPaper(to)],
];

const proposalOfContract = ({ kind, contractNumber, to }: Term, acceptedOn?: string) =>
  ({
    add: `The attached proposal adds devices to your contract ${contractNumber}. Each line has its part of the contract’s year, by days, and ends with the contract.`,
    "true up": `More devices were connected than your contract ${contractNumber} holds, as we announced. The attached proposal adds them for the rest of its year, by days.`,
    renew: `Your contract ${contractNumber} comes to its end. The attached proposal is for the next year, to ${writtenOnPaper(to)}, at today’s prices. ${
      acceptedOn
        ? `${acceptedByChoice(acceptedOn)} Nothing is charged by that: you pay it then.`
        : "Nothing renews and nothing is charged unless you buy it."
    }`,
  })[kind];

function proposalSuffix(rates: "toConfirm" | "confirmed" | undefined, fromUs: "made" | "revised" | undefined): string {
  if (rates === "confirmed") return " with confirmed rates";
  return fromUs === "revised" ? ", revised" : "";
}
