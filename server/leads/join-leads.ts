import { eq, inArray, or, sql } from "drizzle-orm";
import { leadNumber } from "../../contract/numbers.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import { leads } from "../database/schema/index.ts";
import { Failure, notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/**
 * Joins a lead, and whatever was joined into it, into another one about the same: that one shows the requests and
 * histories of all. Nothing is deleted, so that it can be separated again.
 * @throws Failure not_found; conflict for one that is joined already, and for a lead into itself
 */
export async function joinLeads(
  services: Services,
  { actor }: Scope<"any">,
  { id, into }: { id: string; into: string },
): Promise<void> {
  if (id === into) throw new Failure("conflict", "A lead can't be joined into itself.");
  await services.database.transaction(async (transaction) => {
    // In one order, so that two who join the same leads the other way round don't wait for each other.
    const found = await transaction
      .select()
      .from(leads)
      .where(inArray(leads.id, [id, into]))
      .orderBy(leads.id)
      .for("update");
    const [lead, main] = [found.find((each) => each.id === id), found.find((each) => each.id === into)];
    if (!lead || !main) throw notFound("This lead");
    if (lead.joinedTo === main.id) return;
    if (lead.joinedTo || main.joinedTo)
      throw new Failure("conflict", "One of these leads was joined into another one meanwhile. Please reload.");
    await transaction
      .update(leads)
      .set({ joinedTo: main.id, version: sql`${leads.version} + 1` })
      .where(or(eq(leads.id, lead.id), eq(leads.joinedTo, lead.id)));
    const isWon = lead.state === "won" || main.state === "won";
    await transaction
      .update(leads)
      .set({
        version: main.version + 1,
        furthest: Math.max(lead.furthest, main.furthest),
        ...(isWon && { state: "won" as const, lostReason: "" }),
      })
      .where(eq(leads.id, main.id));
    await audit(transaction, actor.personId, "join lead", `lead:${lead.id}`, { into: leadNumber(main.serial) });
    await audit(transaction, actor.personId, "take in lead", `lead:${main.id}`, { joined: leadNumber(lead.serial) });
  });
}

/** Takes a lead out of the one that it was joined into, with its state as it was then. @throws Failure not_found */
export async function separateLead(services: Services, { actor }: Scope<"any">, id: string): Promise<void> {
  await services.database.transaction(async (transaction) => {
    const [lead] = await transaction.select().from(leads).where(eq(leads.id, id)).for("update");
    if (!lead) throw notFound("This lead");
    if (!lead.joinedTo) return;
    await transaction
      .update(leads)
      .set({ joinedTo: null, version: lead.version + 1 })
      .where(eq(leads.id, lead.id));
    await audit(transaction, actor.personId, "separate lead", `lead:${lead.id}`);
  });
}
