import type { Brand } from "../../contract/brand.ts";
import type { MailBody } from "./layout.ts";
import { aboutYourData } from "./notice-link.ts";
import { hello, helloTo, onPaper } from "./words.ts";

/** Mails about a corrected e-mail address: one to the new address, which confirms it, and one to inform the old. */
export type MailAboutAddress =
  | { template: "confirmEmail"; link: string; hours: number }
  | {
      template: "emailCorrected";
      /** Null if nobody has proved to own the old address. */
      firstName: string | null;
      at: string;
      /** True if the address has changed, false if it is about to. */
      confirmed: boolean;
    };

type Writers = {
  [Name in MailAboutAddress["template"]]: (
    content: Extract<MailAboutAddress, { template: Name }>,
    brand: Brand,
  ) => MailBody;
};

export const writersAboutAddress: Writers = {
  confirmEmail: ({ link, hours }, brand) => ({
    subject: `Confirm your e-mail address for ${brand.name}`,
    preview: "It takes effect once you confirm it.",
    heading: "Is this your e-mail address?",
    greeting: hello,
    parts: [
      {
        text: `Our team was asked to make this the e-mail address of a ${brand.name} account. Confirm it to sign in with it from then on. Until then nothing changes.`,
      },
      { button: "Confirm this address", link },
      {
        small: `The link works once, within ${hours} hours. If you have no account with us, you need not do anything.`,
      },
      aboutYourData(link),
    ],
  }),
  emailCorrected: ({ firstName, at, confirmed }, brand) => ({
    subject: confirmed
      ? `The e-mail address of your ${brand.name} account has changed`
      : `Another e-mail address for your ${brand.name} account`,
    preview: "If it was not you, please act now.",
    heading: confirmed ? "Your e-mail address has changed" : "Your e-mail address is about to change",
    greeting: firstName === null ? hello : helloTo(firstName),
    parts: [
      {
        text: confirmed
          ? `Since ${onPaper(at)} your account has another e-mail address, which its owner has confirmed. You have been signed out everywhere; please sign in with the new address. This one no longer opens the account.`
          : `On ${onPaper(at)} our team was asked to give your account another e-mail address. It takes the place of this one as soon as somebody confirms it there.`,
      },
      { small: `Was this not your wish? Write to ${brand.emails.support} at once.` },
    ],
  }),
};
