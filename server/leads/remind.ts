import { and, eq, inArray, isNull, isNotNull, lte, or, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { openLeadStates } from "../../contract/lead-states.ts";
import { leadNumber } from "../../contract/numbers.ts";
import { mayEnter } from "../access/suspended.ts";
import { audit } from "../audit/audit.ts";
import { leads, organisations, people } from "../database/schema/index.ts";
import { queueMail } from "../mail/outbox.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { reminderKey } from "./lead-history.ts";

const batch = 100;

/**
 * Mails the owners of open leads whose next step is due, once for each day that was set, even if no reminder ran on
 * that day. Returns how many were reminded.
 */
export async function remindOwners(services: Services): Promise<number> {
  const today = writtenDay(services.now());
  let reminded = 0;
  for (let found = batch; found === batch; reminded += found) {
    // oxlint-disable-next-line no-await-in-loop -- each batch takes what the one before has left
    found = await remindSome(services, today);
  }
  return reminded;
}

async function remindSome(services: Services, today: string): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const due = await transaction
      .select({ lead: leads, email: people.email, firstName: people.firstName })
      .from(leads)
      .innerJoin(people, eq(people.id, leads.ownerId))
      .innerJoin(organisations, eq(organisations.id, people.organisationId))
      .where(
        and(
          isNotNull(leads.ownerId),
          inArray(leads.state, openLeadStates),
          lte(leads.nextStepOn, today),
          isNull(leads.joinedTo),
          or(isNull(leads.remindedFor), sql`${leads.remindedFor} <> ${leads.nextStepOn}`),
          mayEnter,
        ),
      )
      .orderBy(leads.nextStepOn, leads.id)
      .limit(batch)
      .for("update", { of: leads, skipLocked: true });
    for (const { lead, email, firstName } of due) {
      const day = lead.nextStepOn ?? today;
      await transaction.update(leads).set({ remindedFor: day }).where(eq(leads.id, lead.id));
      await queueMail(services, transaction, {
        eventKey: reminderKey(lead.id, day),
        to: email,
        content: {
          template: "leadReminder",
          firstName,
          number: leadNumber(lead.serial),
          organization: lead.organization,
          userName: lead.userName,
          nextStep: lead.nextStep,
          day,
          link: `${services.publicUrl}/admin/estimateOrder?lead=${lead.id}`,
        },
      });
      await notify(
        transaction,
        "lead due",
        `${lead.id}:${day}`,
        {
          leadId: lead.id,
          leadNumber: leadNumber(lead.serial),
          organizationName: lead.organization,
          nextStep: lead.nextStep,
        },
        { people: lead.ownerId ? [lead.ownerId] : [] },
      );
      await audit(transaction, null, "remind of lead", `lead:${lead.id}`);
    }
    return due.length;
  });
}
