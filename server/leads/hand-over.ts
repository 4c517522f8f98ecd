import { and, asc, eq, inArray, isNull, sql } from "drizzle-orm";
import { openLeadStates } from "../../contract/lead-states.ts";
import { audit } from "../audit/audit.ts";
import type { Scope } from "../access/scope.ts";
import { leads } from "../database/schema/index.ts";
import { notify } from "../notices/notify.ts";
import type { Services } from "../services.ts";
import { namesOf, refuseOwner } from "./change-lead.ts";

/**
 * Gives all open leads of one person to another, as when the first has left. Each lead's history tells it as if it had
 * been given alone; the new owner gets one notice. Returns how many there were: none when it is repeated.
 * @throws Failure invalid if the new owner is not staff or may not sign in
 */
export async function handOverLeads(
  services: Services,
  { actor }: Scope<"any">,
  { from, to }: { from: string; to: string },
): Promise<number> {
  return services.database.transaction(async (transaction) => {
    await refuseOwner(transaction, actor, to);
    if (from === to) return 0;
    const isTheirs = and(eq(leads.ownerId, from), isNull(leads.joinedTo), inArray(leads.state, openLeadStates));
    // In id order, as others who lock several leads.
    const found = await transaction.select().from(leads).where(isTheirs).orderBy(asc(leads.id)).for("update");
    const [first] = found;
    if (!first) return 0;
    const ids = found.map(({ id }) => id);
    const change = { ownerId: to, version: sql`${leads.version} + 1` };
    await transaction.update(leads).set(change).where(inArray(leads.id, ids));
    const names = await namesOf(transaction, [from, to]);
    for (const { id, version } of found)
      // oxlint-disable-next-line no-await-in-loop -- within one transaction
      await audit(transaction, actor.personId, "change lead", `lead:${id}`, {
        version: version + 1,
        before: { owner: names.get(from) ?? "nobody" },
        after: { owner: names.get(to) ?? "nobody" },
      });
    const concerned = { people: [to], except: actor.personId };
    const facts = { ownerId: to, count: found.length };
    await notify(transaction, "leads handed over", `${first.id}:${first.version}`, facts, concerned);
    return found.length;
  });
}
