import { and, eq } from "drizzle-orm";
import { earlier, later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { leadStages, type LeadState } from "../../contract/lead-states.ts";
import type { Transaction } from "../database/database.ts";
import { leadNotes, leads, people } from "../database/schema/index.ts";

/** Contact requests besides the estimates: organisation, name, days ago, size and message. */
const requests = [
  ["Sample Tyres", "Anjali Kulkarni", 23, 350, "please show us how an incident is handled at night."],
  ["Sample Stationery", "Faisal Khan", 12, 25, "what does the smallest contract cost?"],
  ["Sample Dairy", "Gurpreet Kaur", 5, 65, "we sent an estimate; can you call us about it?"],
  ["Sample Opticals", "Nisha Thomas", 1, 40, "we use one cloud and eleven shops."],
] as const;

/** What became of some leads; leads with a paid order are won automatically. */
const work: {
  organization: string;
  state: LeadState;
  reason?: string;
  step?: string;
  inDays?: number;
  note?: string;
}[] = [
  {
    organization: "Sample Ports",
    state: "negotiation",
    step: "Send the revised proposal",
    inDays: 1,
    note: "They want to begin with two terminals.",
  },
  { organization: "Sample Ceramics", state: "contacted", step: "Call the plant manager", inDays: 0 },
  { organization: "Sample Tyres", state: "proposal_sent", step: "Ask about the proposal", inDays: 3 },
  { organization: "Sample Solar", state: "lost", reason: "Their group has a provider of its own" },
  { organization: "Sample Stationery", state: "junk" },
];

/** Adds contact requests, and works on the leads that the demo's estimates have made. */
export async function insertLeads(transaction: Transaction, now: Date): Promise<void> {
  for (const [organization, userName, daysAgo, organizationSize, message] of requests)
    await transaction.insert(leads).values({
      organization,
      userName,
      userEmail: `${(userName.split(" ")[0] ?? "").toLowerCase()}@lead.example`,
      phone: "+918000000150",
      organizationSize,
      message: `Sample: ${message}`,
      createdAt: earlier(now, { days: daysAgo, hours: 2 }),
    });
  const [owner] = await transaction.select({ id: people.id }).from(people).where(eq(people.role, "adminChild"));
  for (const { organization, state, reason = "", step = "", inDays, note } of work) {
    const [worked] = await transaction
      .update(leads)
      .set({
        state,
        furthest: Math.max(
          leadStages.findIndex((stage) => stage === state),
          0,
        ),
        lostReason: reason,
        ownerId: owner?.id ?? null,
        nextStep: step,
        nextStepOn: inDays === undefined ? null : writtenDay(later(now, { days: inDays })),
      })
      .where(and(eq(leads.organization, organization), eq(leads.state, "new")))
      .returning({ id: leads.id });
    if (worked && note)
      await transaction.insert(leadNotes).values({ leadId: worked.id, authorId: owner?.id ?? null, text: note });
  }
}
