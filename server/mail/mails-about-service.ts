import type { Brand } from "../../contract/brand.ts";
import type { MailBody } from "./layout.ts";
import { helloTo, onPaper, shown, writtenOnPaper } from "./words.ts";

/** Mails about tasks of a customer before and while it is monitored. */
export type MailAboutService =
  | { template: "onboarding"; name: string; lines: { title: string; dueOn: string }[]; link: string }
  | {
      template: "clockEnds";
      name: string;
      incidentNumber: string;
      clocks: { title: string; dueAt: string }[];
      link: string;
    };

type Of<Name extends MailAboutService["template"]> = Extract<MailAboutService, { template: Name }>;

export const writersAboutService = {
  onboarding: ({ name, lines, link }: Of<"onboarding">, brand: Brand): MailBody => ({
    subject: `${brand.name}: ${lines.length === 1 ? "one step is" : `${lines.length} steps are`} yours before you are watched`,
    preview: lines.map(({ title }) => title).join(", "),
    heading: "Your onboarding is not done yet",
    greeting: helloTo(name),
    parts: [
      { text: "Until these are done, a part of what you pay for is not watched." },
      { facts: lines.map(({ title, dueOn }) => [shown(title), `by ${writtenOnPaper(dueOn)}`]) },
      { button: "Open your onboarding", link },
      { small: "This reminder comes at most once a week, until everything is done." },
    ],
  }),
  clockEnds: ({ name, incidentNumber, clocks, link }: Of<"clockEnds">, brand: Brand): MailBody => ({
    subject: `${incidentNumber}: a regulator's clock is about to end`,
    preview: clocks.map(({ title }) => title).join(", "),
    heading: "A regulator's clock is about to end",
    greeting: helloTo(name),
    parts: [
      {
        text: `By what is attested of ${incidentNumber}, these reports are due. Nobody has noted here that they are filed.`,
      },
      { facts: clocks.map(({ title, dueAt }) => [shown(title), onPaper(dueAt)]) },
      { button: "Open the incident", link },
      {
        small: `The duty to report is your organization's own: ${brand.name} counts and drafts, and files nothing. Each end of a clock is told once.`,
      },
    ],
  }),
};
