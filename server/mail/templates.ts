import type { Brand } from "../../contract/brand.ts";
import { layOut, type MailBody, type MailPart } from "./layout.ts";
import { aboutYourData, noticeAt } from "./notice-link.ts";
import { type MailAboutAddress, writersAboutAddress } from "./mails-about-address.ts";
import { type MailAboutContract, writersAboutContracts } from "./mails-about-contracts.ts";
import { type MailAboutIncident, writersAboutIncidents } from "./mails-about-incidents.ts";
import { type MailAboutPayment, writersAboutPayments } from "./mails-about-payments.ts";
import { type MailAboutQuote, writersAboutQuotes } from "./mails-about-quotes.ts";
import { type MailAboutRefund, writersAboutRefunds } from "./mails-about-refunds.ts";
import { type MailAboutReport, writersAboutReports } from "./mails-about-reports.ts";
import { type MailAboutTransfer, writersAboutTransfers } from "./mails-about-transfers.ts";
import { type MailAboutService, writersAboutService } from "./mails-about-service.ts";
import { type MailToUs, writersToUs } from "./mails-to-us.ts";
import { hello, helloTo, onPaper, shown } from "./words.ts";

/**
 * The content of each kind of mail. Links are absolute, times ISO 8601. Anybody can make us send mail to anybody's
 * address. So mails whose receiver has not asked for them, or may not have, contain nothing that others entered except
 * an organisation's name, shown as a fact below our own words (decision 26).
 */
export type MailContent =
  | { template: "signInCode"; code: string; minutes: number }
  | { template: "invitation"; organizationName: string; link: string; hours: number }
  | { template: "passwordReset"; link: string; minutes: number }
  | { template: "passwordChanged"; firstName: string; at: string }
  | { template: "welcome"; link: string }
  | { template: "alreadyRegistered"; link: string }
  | { template: "registerAgain"; link: string }
  /** Written by an administrator. */
  | { template: "announcement"; title: string; text: string; link: string }
  | MailAboutPayment
  | MailAboutQuote
  | MailAboutContract
  | MailAboutIncident
  | MailAboutAddress
  | MailAboutRefund
  | MailAboutTransfer
  | MailAboutService
  | MailAboutReport
  | MailToUs;

/** The addresses where a receiver chooses their mails, and turns this kind off at once. */
export interface ChoiceLinks {
  settings: string;
  unsubscribe: string;
}

/** Renders a mail as its receiver gets it. */
export function renderMail(
  content: MailContent,
  brand: Brand,
  links: ChoiceLinks | null = null,
): Promise<{ subject: string; html: string; text: string }> {
  const write = writers[content.template] as (content: MailContent, brand: Brand) => MailBody;
  const body = write(content, brand);
  return layOut(links ? { ...body, parts: [...body.parts, ...choiceParts(links)] } : body, brand);
}

const choiceParts = ({ settings, unsubscribe }: ChoiceLinks): MailPart[] => [
  { small: "To stop mails of this kind, signed in or not:", link: unsubscribe },
  { small: "To choose which mails you get:", link: settings },
];

type Writers = {
  [Name in MailContent["template"]]: (content: Extract<MailContent, { template: Name }>, brand: Brand) => MailBody;
};

const writers: Writers = {
  signInCode: ({ code, minutes }, brand) => ({
    subject: `Your ${brand.name} sign-in code`,
    preview: `It is valid for ${minutes} minutes.`,
    heading: "Your sign-in code",
    greeting: hello,
    parts: [
      { text: `Enter this code to finish signing in. It is valid for ${minutes} minutes and works once.` },
      { code },
      {
        small:
          "Did you not try to sign in? Then someone knows your password: please change it. Nobody from our team will ever ask you for this code.",
      },
    ],
  }),
  invitation: ({ organizationName, link, hours }, brand) => ({
    subject: `You have been invited to ${brand.name}`,
    preview: "Choose a password to accept.",
    heading: "You have been invited",
    greeting: hello,
    parts: [
      {
        text: `Somebody invites you to use ${brand.name} with their organization. Open the link to see who it is, and choose a password to accept.`,
      },
      { facts: [["Organization", shown(organizationName)]] },
      { button: "See the invitation", link },
      {
        small: `The link works once, within ${hours} hours. If you did not expect it, you need not do anything: until you accept, nothing of yours is anybody else's.`,
      },
      {
        small:
          "Whoever invited you gave us your name, e-mail address and phone number for this account. What we do with them, and how to have them deleted:",
        link: noticeAt(link),
      },
    ],
  }),
  passwordReset: ({ link, minutes }, brand) => ({
    subject: `Set a new ${brand.name} password`,
    preview: `The link works for ${minutes} minutes.`,
    heading: "Set a new password",
    greeting: hello,
    parts: [
      { text: "Someone asked for a new password for this account. If it was you, set it here." },
      { button: "Set a new password", link },
      {
        small: `The link works once, within ${minutes} minutes. If it was not you, your password stays as it is and you need not do anything.`,
      },
    ],
  }),
  passwordChanged: ({ firstName, at }, brand) => ({
    subject: `Your ${brand.name} password was changed`,
    preview: "If it was not you, please act now.",
    heading: "Your password was changed",
    greeting: helloTo(firstName),
    parts: [
      { text: `The password of your account was changed on ${onPaper(at)}. Other devices have been signed out.` },
      {
        small: `Was it not you? Use “Forgot Password” on the sign-in page at once and tell us at ${brand.emails.support}.`,
      },
    ],
  }),
  welcome: ({ link }, brand) => ({
    subject: `Welcome to ${brand.name}`,
    preview: "Your account is ready.",
    heading: "Your account is ready",
    greeting: hello,
    parts: [
      {
        text: "Sign in with your password and the code that we send you. Quotes you asked for with this e-mail address will be waiting for you.",
      },
      { button: "Sign in", link },
      {
        small:
          "Did you not register? Then someone typed your address by mistake. Without access to your mailbox they cannot sign in.",
      },
      aboutYourData(link),
    ],
  }),
  alreadyRegistered: ({ link }, brand) => ({
    subject: `You already have a ${brand.name} account`,
    preview: "Sign in, or set a new password.",
    heading: "You already have an account",
    greeting: hello,
    parts: [
      {
        text: "Someone tried to register with your e-mail address. Nothing about your account has changed. If it was you, just sign in; if you forgot your password, you can set a new one from there.",
      },
      { button: "Sign in", link },
      { small: "Was it not you? Then you need not do anything: nobody was let in." },
    ],
  }),
  registerAgain: ({ link }, brand) => ({
    subject: `Please register at ${brand.name} again`,
    preview: "Nobody has signed in with this address yet.",
    heading: "Please register again",
    greeting: hello,
    parts: [
      {
        text: "Someone asked for a new password for your e-mail address. It was registered, but nobody has signed in with it yet, so we can set no new password for it. If it was you, please register again: that takes the place of the earlier registration, with a password that you choose now.",
      },
      { button: "Register again", link },
      { small: "Was it not you? Then you need not do anything: nobody was let in." },
    ],
  }),
  announcement: ({ title, text, link }, brand) => ({
    subject: `${brand.name}: ${title}`,
    preview: Array.from(text).slice(0, 140).join(""),
    heading: title,
    greeting: hello,
    parts: [
      ...text
        .split(/\r?\n/)
        .filter((line) => line.trim())
        .map((line) => ({ text: line })),
      { button: "Open your account", link },
    ],
  }),
  ...writersAboutPayments,
  ...writersAboutQuotes,
  ...writersAboutContracts,
  ...writersAboutIncidents,
  ...writersAboutAddress,
  ...writersAboutRefunds,
  ...writersAboutTransfers,
  ...writersAboutService,
  ...writersAboutReports,
  ...writersToUs,
};
