import type { Brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { formatRupees } from "../../contract/money.ts";
import type { MailBody } from "./layout.ts";
import { hello, helloTo } from "./words.ts";

/** Mails about the acceptance of a proposal: to who is signed in and accepts it. */
export type MailAboutAcceptance =
  | { template: "acceptanceCode"; code: string; quoteNumber: string; totalPaise: number }
  | { template: "acceptance"; name: string; quoteNumber: string; totalPaise: number; link: string };

type Writers = {
  [Name in MailAboutAcceptance["template"]]: (
    content: Extract<MailAboutAcceptance, { template: Name }>,
    brand: Brand,
  ) => MailBody;
};

export const writersAboutAcceptance: Writers = {
  acceptanceCode: ({ code, quoteNumber, totalPaise }, brand) => ({
    subject: `Your code to accept ${quoteNumber}`,
    preview: `It is valid for ${limits.otpMinutes} minutes.`,
    heading: `Your code to accept ${quoteNumber}`,
    greeting: hello,
    parts: [
      {
        text: `Enter this code to accept the proposal ${quoteNumber} over ${formatRupees(totalPaise)} in the name of your organisation. It is valid for ${limits.otpMinutes} minutes.`,
      },
      { code },
      {
        small: `Is it not you who accepts it? Then somebody else is signed in to your account: please change your password and tell us at ${brand.emails.support}. Nobody from our team will ever ask you for this code.`,
      },
    ],
  }),
  acceptance: ({ name, quoteNumber, totalPaise, link }, brand) => ({
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
          ["Total for one year, GST included", formatRupees(totalPaise)],
        ],
      },
      { button: "Open my quotes", link },
      { small: `Did you not accept it? Please tell us at once: ${brand.emails.support}.` },
    ],
  }),
};
