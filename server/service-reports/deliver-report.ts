import { and, eq, isNull, or } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { areaOf } from "../../contract/roles.ts";
import { isThere } from "../accounts/queries.ts";
import type { Transaction } from "../database/database.ts";
import { organisations, people, serviceReports } from "../database/schema/index.ts";
import { certificateOfMonthShownAs, serviceReportShownAs } from "../files/shown-as.ts";
import { wantsMails } from "../mail/choices.ts";
import { queueMails } from "../mail/outbox.ts";
import { documentFile } from "../outside/files/document-file.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { certificatePaper } from "./certificate-document.ts";
import { boardFigures } from "./close-month.ts";
import { reportPaper } from "./report-document.ts";

type Report = typeof serviceReports.$inferSelect;

/** The mail of a report is retried for this long. */
const mailDays = 20;

/**
 * Renders a report and its certificate from the data kept at the close, and mails both to the people of the customer
 * and its partner who want them. Safe to run again after being killed at any point: each is made and mailed once.
 */
export async function deliverServiceReport(services: Services, reportId: string): Promise<void> {
  const [report] = await services.database
    .select()
    .from(serviceReports)
    .where(and(eq(serviceReports.id, reportId), isNull(serviceReports.file)));
  if (!report) return;
  const { names, papers } = await renderReport(services, report);
  await services.database.transaction(async (transaction) => {
    // Read again: the customer may have got a partner, or a different one, while the documents were rendered.
    const [current] = await transaction
      .update(serviceReports)
      .set(names)
      .where(and(eq(serviceReports.id, report.id), isNull(serviceReports.file)))
      .returning();
    // Another worker was faster: the bytes that it stored and mailed stay as they are.
    if (!current) return;
    // While the row is locked, so that only files that no row names yet are ever overwritten.
    for (const [name, pdf] of papers) await services.files.write(name, pdf);
    await mailReport(services, transaction, current);
  });
}

/** The names of a report's files in the store, and the PDF for each. */
async function renderReport({ database, documents, now }: Services, { id, data, certificate }: Report) {
  const names = {
    file: documentFile("service-report", id),
    certificateFile: documentFile("retention", id),
    partnerFile: data.partner === null ? null : `service-report-${id}-partner.pdf`,
  };
  const { cin } = await readSeller(database);
  const papers = new Map<string, Uint8Array>();
  papers.set(names.file, await documents.render("serviceReport", reportPaper(data, now(), null, cin)));
  papers.set(names.certificateFile, await documents.render("retention", certificatePaper(certificate, now(), cin)));
  if (names.partnerFile)
    papers.set(names.partnerFile, await documents.render("serviceReport", reportPaper(data, now(), data.partner, cin)));
  return { names, papers };
}

/** The file that a partner gets: the one in its name if the report has that, otherwise ours. */
export const fileFor = (
  partnerId: string | null,
  { partnerIdAtClose, file, partnerFile }: Pick<Report, "partnerIdAtClose" | "file" | "partnerFile">,
): string | null => (partnerIdAtClose === partnerId ? (partnerFile ?? file) : file);

async function mailReport(services: Services, transaction: Transaction, report: Report): Promise<void> {
  const { id, data, organisationId, partnerId, createdAt, closedAt } = report;
  const receivers = await transaction
    .select({
      id: people.id,
      email: people.email,
      firstName: people.firstName,
      role: people.role,
    })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(
      and(
        or(
          eq(people.organisationId, organisationId),
          report.partnerFile && partnerId ? eq(people.organisationId, partnerId) : undefined,
        ),
        isThere,
        wantsMails("reports"),
      ),
    );
  const { watchedPercent, incidents, promisesBroken, openActions } = boardFigures(data);
  const certificate = { file: report.certificateFile ?? "", shownAs: certificateOfMonthShownAs(data) };
  await queueMails(
    services,
    transaction,
    receivers.map(({ id: personId, email, firstName, role }) => {
      const area = areaOf(role);
      const file = (area === "partner" ? fileFor(partnerId, report) : report.file) ?? "";
      return {
        eventKey: `service-report:${id}:${personId}`,
        to: email,
        personId,
        content: {
          template: "serviceReport" as const,
          name: firstName,
          organizationName: data.customer,
          month: data.month,
          watchedPercent,
          incidents,
          promisesBroken,
          openActions,
          link: `${services.publicUrl}/${area}/reports`,
        },
        attachments: [{ file, shownAs: serviceReportShownAs(data) }, certificate],
        // If it is rendered again years later, it must not be mailed again: by then the record of sent mails is gone.
        uselessAfter: later(createdAt > closedAt ? createdAt : closedAt, { days: mailDays }),
      };
    }),
  );
}
