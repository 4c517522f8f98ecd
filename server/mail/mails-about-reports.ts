import type { Brand } from "../../contract/brand.ts";
import { monthInWords } from "../../contract/india-time.ts";
import type { MailBody } from "./layout.ts";
import { helloTo, shown } from "./words.ts";

/** A customer's monthly report, to its own people and its partner's. */
export type MailAboutReport = {
  template: "serviceReport";
  name: string;
  organizationName: string;
  /** The month's first day, as 2026-10-01. */
  month: string;
  watchedPercent: number | null;
  incidents: number;
  promisesBroken: number;
  openActions: number;
  link: string;
};

export const writersAboutReports: { serviceReport: (content: MailAboutReport, brand: Brand) => MailBody } = {
  serviceReport: (mail, brand) => ({
    subject: `${brand.name} service report of ${monthInWords(mail.month)} for ${shown(mail.organizationName)}`,
    preview: `${mail.openActions} open ${mail.openActions === 1 ? "action" : "actions"}.`,
    heading: `Service report of ${monthInWords(mail.month)}`,
    greeting: helloTo(mail.name),
    parts: [
      { text: "The report and the retention certificate are attached. Its first page is written for a board." },
      {
        facts: [
          ["Customer", shown(mail.organizationName)],
          ["Contracted devices watched", mail.watchedPercent === null ? "Not known" : `${mail.watchedPercent}%`],
          ["Incidents opened", String(mail.incidents)],
          ["Promises broken", String(mail.promisesBroken)],
          ["Open actions", String(mail.openActions)],
        ],
      },
      { button: "See all reports", link: mail.link },
    ],
  }),
};
