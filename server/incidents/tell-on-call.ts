import { createHmac } from "node:crypto";
import { and, eq } from "drizzle-orm";
import { earlier } from "../../contract/durations.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Transaction } from "../database/database.ts";
import { incidents } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { inHttpSpan } from "../tracing/http-call.ts";

const patienceMs = 10_000;
/** How long another instance may still post it: during a rollout one may have ON_CALL_URL while this one lacks it. */
const untoldFor = { hours: 1 };

/**
 * Queues the on-call message for an attack, if ON_CALL_URL is set. Call it in the transaction that opens the incident
 * or makes it a P1 again.
 */
export async function askOnCall(
  { env, jobs, now }: Services,
  transaction: Transaction,
  incidentId: string,
): Promise<void> {
  if (!env.onCall) return;
  await transaction
    .update(incidents)
    .set({ onCallAskedAt: now(), onCallToldAt: null })
    .where(eq(incidents.id, incidentId));
  await jobs.add(transaction, "tell-on-call", { incidentId });
}

/**
 * Posts an attack to the on-call webhook, signed as https://www.standardwebhooks.com specifies; a retry has the same
 * webhook-id. Nothing of the report's text is sent.
 * @throws Error, so that the queue retries
 */
export async function tellOnCall({ env, database, now, publicUrl }: Services, incidentId: string): Promise<void> {
  const [incident] = await database.select().from(incidents).where(eq(incidents.id, incidentId));
  if (!incident || incident.onCallToldAt) return;
  const asked = incident.onCallAskedAt;
  // Does not apply if on-call was asked for again meanwhile: that request is still to be sent.
  const note = (set: Partial<typeof incidents.$inferInsert>) =>
    database
      .update(incidents)
      .set(set)
      .where(and(eq(incidents.id, incidentId), asked ? eq(incidents.onCallAskedAt, asked) : undefined));
  if (!env.onCall) {
    if (asked && asked > earlier(now(), untoldFor))
      throw new Error("This copy has no ON_CALL_URL: another one has to post it");
    // Given up, so that the sweep does not queue it for ever.
    return void (await note({ onCallAskedAt: null }));
  }
  const { url, key } = env.onCall;
  const timestamp = Math.floor(now().getTime() / 1000);
  const body = JSON.stringify({
    type: "incident.attack_reported",
    timestamp: incident.openedAt.toISOString(),
    data: {
      number: incidentNumber(incident.serial),
      organization_name: incident.organisationName,
      link: `${publicUrl}/admin/incidents/${incidentId}`,
    },
  });
  // Pagers drop a webhook-id that they know, so each time an attack wakes our team has its own id.
  const webhookId = asked ? `${incidentId}-${asked.getTime()}` : incidentId;
  const signature = createHmac("sha256", key).update(`${webhookId}.${timestamp}.${body}`).digest("base64");
  const called = { method: "POST", url: new URL(url), service: "on-call" };
  const answer = await inHttpSpan(called, () =>
    fetch(url, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": webhookId,
        "webhook-timestamp": String(timestamp),
        "webhook-signature": `v1,${signature}`,
      },
      body,
      redirect: "error",
      signal: AbortSignal.timeout(patienceMs),
    }),
  );
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`ON_CALL_URL answered with ${answer.status}`);
  await note({ onCallToldAt: now() });
}
