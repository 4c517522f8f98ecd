import { type SQL, sql } from "drizzle-orm";
import type { AuditAction } from "../../contract/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { auditEntries } from "../database/schema/index.ts";
import { origin } from "./origin.ts";

/**
 * Notes who did what to what, in the transaction of the change; a refusal changes nothing and needs none. From where is
 * known by `workFrom`, whom it concerns by the subject. `detail` holds no secret; what was there `before` and `after` a
 * change is shown side by side.
 */
export async function audit(
  transaction: Transaction | Database,
  actorId: string | null,
  action: AuditAction,
  subject: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  const from = origin();
  if (from) from.entries++;
  const [ownerOfSubject, ownerOfActor] = [organisationOf(subject), organisationOfPerson(actorId)];
  await transaction.insert(auditEntries).values({
    actorId,
    action,
    subject,
    detail,
    address: from?.address ?? "",
    // A customer reads what was done to it, whoever did it; a partner what its own people did, and what was done to it.
    customerId: firstOf("customer", ownerOfSubject, ownerOfActor),
    partnerId: firstOf("partner", ownerOfActor, ownerOfSubject),
  });
}

/** Of two organisations the first that is of this kind. */
const firstOf = (kind: "customer" | "partner", ...[one, other]: [SQL, SQL]) =>
  sql`coalesce((select id from organisations where kind = ${kind} and id = ${one}),
    (select id from organisations where kind = ${kind} and id = ${other}))`;

const organisationOfPerson = (id: string | null) => sql`(select organisation_id from people where id = ${id}::uuid)`;

/** The organisation that a subject belongs to, such as the one of order:ID. */
function organisationOf(subject: string): SQL {
  const [, kind = "", id = ""] = /^([a-z]+):(.+)$/.exec(subject) ?? [];
  if (kind === "invoice")
    return sql`(select organisation_id from invoices join orders on orders.id = order_id where number = ${id})`;
  if (!/^[\da-f-]{36}$/.test(id)) return sql`null::uuid`;
  switch (kind) {
    case "organisation":
      return sql`${id}::uuid`;
    case "person":
      return organisationOfPerson(id);
    case "session":
      return sql`(select organisation_id from sessions join people on people.id = person_id where sessions.id = ${id}::uuid)`;
    case "quote":
      return sql`(select organisation_id from quotes where id = ${id}::uuid)`;
    case "order":
      return sql`(select organisation_id from orders where id = ${id}::uuid)`;
    default:
      return sql`null::uuid`;
  }
}
