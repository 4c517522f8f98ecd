import { and, eq } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import type { Transaction } from "../database/database.ts";
import { engineBindings, heldSources, mails, organisations, people, sourceGaps } from "../database/schema/index.ts";
import { type Month, monthBefore } from "../service-reports/month-of.ts";
import { keepReport } from "../service-reports/make-reports.ts";
import { closeMonth } from "../service-reports/close-month.ts";
import type { Services } from "../services.ts";
import { sampleFleet } from "./engines/fleet.ts";

/** A sample customer's log sources, and its reports for the last two months, whose mails count as sent. */
export async function insertServiceReports(
  services: Services,
  transaction: Transaction,
  organisationId: string,
): Promise<void> {
  await insertSources(transaction, services.now(), organisationId);
  const [customer] = await transaction.select().from(organisations).where(eq(organisations.id, organisationId));
  if (!customer) return;
  const last = monthBefore(services.now(), customer.timeZone);
  for (const month of [monthBefore(last.from, customer.timeZone), last])
    await insertReport(services, transaction, customer, month);
}

async function insertReport(
  services: Services,
  transaction: Transaction,
  { id, name, partnerId }: typeof organisations.$inferSelect,
  month: Month,
): Promise<void> {
  const [partner] = partnerId
    ? await transaction.select().from(organisations).where(eq(organisations.id, partnerId))
    : [];
  const closed = await closeMonth(transaction, { id, name, partner: partner ?? null }, month);
  const reportId = await keepReport(services, transaction, id, month, closed);
  const receivers = await transaction.select().from(people).where(eq(people.organisationId, id));
  const ofPartner = partnerId
    ? await transaction.select().from(people).where(eq(people.organisationId, partnerId))
    : [];
  await transaction.insert(mails).values(
    [...receivers, ...ofPartner].map((person) => ({
      eventKey: `service-report:${reportId}:${person.id}`,
      recipient: person.email,
      attachments: [],
      createdAt: month.until,
      sentAt: month.until,
    })),
  );
}

/** Most reach back a year or more; two firewalls fell silent, and one server was rebuilt in between. */
async function insertSources(transaction: Transaction, now: Date, organisationId: string): Promise<void> {
  const [binding] = await transaction
    .select()
    .from(engineBindings)
    .where(and(eq(engineBindings.organisationId, organisationId), eq(engineBindings.kind, "wazuh4")));
  if (!binding) return;
  const heard = sampleFleet(now).devices.filter(({ lastEventAt }) => lastEventAt !== null);
  const sources = await transaction
    .insert(heldSources)
    .values(
      heard.map(({ id, name, lastEventAt }, index) => ({
        organisationId,
        bindingId: binding.id,
        externalId: id,
        name,
        firstEventAt: earlier(now, { days: index < 6 ? 410 - index : 60 + 9 * index }),
        lastEventAt,
        watchedUntil: now,
      })),
    )
    .returning();
  const rebuilt = sources.find(({ name }) => !name.startsWith("fw"));
  if (!rebuilt) return;
  const fromAt = earlier(now, { days: 39, hours: 5 });
  const untilAt = earlier(now, { days: 36 });
  await transaction.insert(sourceGaps).values({ sourceId: rebuilt.id, fromAt, untilAt, watchedUntil: untilAt });
}
