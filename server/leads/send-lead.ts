import { brand } from "../../contract/brand.ts";
import type { ContactRequest } from "../../contract/leads.ts";
import type { Call } from "../call.ts";
import { recordConsent } from "../audit/consent.ts";
import { leads } from "../database/schema/index.ts";
import { accountFrom } from "../protection/limiter.ts";
import { queueMail } from "../mail/outbox.ts";
import { keyOfAll } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";

/**
 * Stores a contact request and mails it to our sales team, both or neither; repeating the request with its key does
 * neither. The sender gets no mail, since anybody could enter somebody else's address.
 * @throws Failure too_many_requests
 */
export async function sendLead(services: Services, call: Call, request: ContactRequest): Promise<void> {
  const { noticeVersion, requestKey, ...form } = request;
  const { userEmail, ...said } = form;
  await services.limiter.consume("contactByAddress", call.address);
  await services.limiter.consume("contactByAccount", accountFrom(call.address, userEmail));
  await services.database.transaction(async (transaction) => {
    const [lead] = await transaction
      .insert(leads)
      .values({ ...form, requestKey: requestKey ? keyOfAll(call.actor, request) : null, createdAt: services.now() })
      .onConflictDoNothing({ target: leads.requestKey })
      .returning({ id: leads.id });
    if (!lead) return;
    await recordConsent(services, transaction, { purpose: "contact", leadId: lead.id }, noticeVersion);
    await queueMail(services, transaction, {
      eventKey: `lead:${lead.id}`,
      to: brand.emails.sales,
      content: { template: "lead", ...said, replyTo: userEmail },
    });
  });
}
