import type { Brand } from "../../contract/brand.ts";
import type { MailBody } from "./layout.ts";
import { dayOnPaper, hello, helloTo, shown } from "./words.ts";

/** Mails to our own staff, who know that others entered the content. */
export type MailToUs =
  | {
      template: "lead";
      userName: string;
      organization: string;
      organizationSize: number;
      phone: string;
      message: string;
      /** The visitor's address, to which replies go. */
      replyTo: string;
    }
  | {
      template: "leadReminder";
      firstName: string;
      number: string;
      organization: string;
      userName: string;
      nextStep: string;
      /** 2026-11-22, in India. */
      day: string;
      link: string;
    };

type Writers = {
  [Name in MailToUs["template"]]: (content: Extract<MailToUs, { template: Name }>, brand: Brand) => MailBody;
};

export const writersToUs: Writers = {
  // The subject names the organisation, so that our sales staff can tell requests apart in their inbox.
  lead: ({ userName, organization, organizationSize, phone, message, replyTo }, brand) => ({
    subject: `Contact request from ${shown(organization)}`,
    preview: `${shown(userName)} wrote by the contact form.`,
    heading: "Somebody wants to hear from us",
    greeting: hello,
    parts: [
      {
        text: `${shown(userName)} of ${shown(organization)} wrote by the contact form of ${brand.name}. Just answer this mail.`,
      },
      {
        facts: [
          ["Name", shown(userName)],
          ["E-mail", replyTo],
          ["Phone", phone],
          ["Organization", shown(organization)],
          ["Its size", String(organizationSize)],
        ],
      },
      ...message
        .split(/\r?\n/)
        .filter((line) => line.trim())
        .map((text) => ({ text })),
      { small: "The text above was typed by a visitor and has not been checked." },
    ],
  }),
  leadReminder: ({ firstName, number, organization, userName, nextStep, day, link }) => ({
    subject: `Next step of ${number}: ${shown(organization)}`,
    preview: shown(nextStep),
    heading: "A next step is due",
    greeting: helloTo(firstName),
    parts: [
      { text: "You own this lead, and its next step is due." },
      {
        facts: [
          ["Next step", shown(nextStep)],
          ["Due on", dayOnPaper(`${day}T00:00:00Z`)],
          ["Lead", number],
          ["Organization", shown(organization)],
          ["Name", shown(userName)],
        ],
      },
      { button: "Open the lead", link },
      {
        small:
          "You get one mail for each day that is set. The lead's state, its owner and its next step are yours to change.",
      },
    ],
  }),
};
