import { z } from "zod";
import { Day, Email, Instant } from "./fields.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

/** The report of a month, as a row of a list. */
export const ServiceReport = z.object({
  id: z.uuid(),
  organization_name: z.string(),
  /** Its first day, by the customer's calendar. */
  month: Day,
  closed_at: Instant,
  /** Connected devices per hundred contracted ones at the close; null where that is not known. */
  watched: z.number().nullable(),
  incidents: z.number().int(),
  promises_kept: z.number().int(),
  promises_broken: z.number().int(),
  open_actions: z.number().int(),
  /** Names in the file store; null while the files are being made. */
  pdf_url: z.string().nullable(),
  certificate_url: z.string().nullable(),
  /** SHA-256 of the certificate's data, in hexadecimal; its PDF prints it too. */
  certificate_hash: z.string(),
});
export type ServiceReport = z.infer<typeof ServiceReport>;

export const serviceReportList = listOf(ServiceReport, {
  sorts: ["month", "organization_name"],
  named: {},
  searched: ["organization_name"],
});
export type ServiceReportSort = SortOf<typeof serviceReportList>;
export type ServiceReportQuery = ListQuery<ServiceReportSort>;

const page = z.object({ reports: z.array(ServiceReport), ...listPage });
const lists = <Input extends z.ZodObject>(whose: string, input: Input) =>
  operation({
    method: "get",
    summary: `The monthly reports of ${whose} with their retention certificates. ${serviceReportList.summary}`,
    input,
    answer: page,
  });
const ofOneOrAll = serviceReportList.query.extend({
  /** The e-mail of somebody at one customer; without it, the reports of all customers. */
  email: Email.optional(),
});

export const serviceReportOperations = {
  "user/reports": lists("the organization", serviceReportList.query),
  "partner/reports": lists("the partner's customers, in the partner's name", ofOneOrAll),
  "admin/reports": lists("every customer", ofOneOrAll),
};
