import { type SQL, sql } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import type { AuditAction } from "../../contract/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isUuid } from "../database/is-uuid.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
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
  await writeEntry(transaction, { actorId, action, subject, detail });
}

/** What stands in an entry, and what beside it. */
export interface Told {
  /** What is told of a person, such as a name before and after, or what somebody typed about them. */
  values: Record<string, unknown>;
  detail?: Record<string, unknown>;
}

/** The same about a person: the values stand beside the chain, and go with them when they are erased. */
export const auditPerson = (
  transaction: Transaction,
  actorId: string | null,
  action: AuditAction,
  personId: string,
  told: Told,
) => auditBeside(transaction, actorId, action, { kind: "person", id: personId }, told);

/** What may hold free text about people: it goes with them, by `forgetValues`. */
export interface About {
  kind: "person" | "lead" | "action" | "quote";
  id: string;
  /** Whose words the values are, where these don't go with what the entry is about but with who typed them: by `forgetTyped`. */
  typedBy?: string;
}

/** An entry whose values stand beside the chain, with their hash in it, so that they can be erased (decision 48). */
export async function auditBeside(
  transaction: Transaction,
  actorId: string | null,
  action: AuditAction,
  { kind, id, typedBy = id }: About,
  told: Told,
): Promise<void> {
  const salt = randomBytes(16).toString("base64url");
  // As PostgreSQL writes it, for `audit:verify` hashes what PostgreSQL has.
  const { rows } = await transaction.execute<{ text: string }>(
    sql`select ${JSON.stringify(told.values)}::jsonb::text as text`,
  );
  const valuesHash = hashOfValues(salt, rows[0]?.text ?? "");
  const entry = { actorId, action, subject: `${kind}:${id}`, detail: { ...told.detail, valuesHash } };
  const entryId = await writeEntry(transaction, entry);
  await transaction.insert(auditValues).values({ entryId, aboutId: typedBy, salt, values: told.values });
}

const hashOfValues = (salt: string, text: string) => createHash("sha256").update(`${salt}${text}`).digest("hex");

interface NewEntry {
  actorId: string | null;
  action: AuditAction;
  subject: string;
  detail: Record<string, unknown>;
}

/** Answers its id. */
async function writeEntry(
  transaction: Transaction | Database,
  { actorId, action, subject, detail }: NewEntry,
): Promise<string> {
  const from = origin();
  if (from) from.entries++;
  const [ownerOfSubject, ownerOfActor] = [organisationOf(subject), organisationOfPerson(actorId)];
  const [written] = await transaction
    .insert(auditEntries)
    .values({
      actorId,
      action,
      subject,
      detail,
      address: from?.address ?? "",
      // A customer reads what was done to it, whoever did it; a partner what its own people did, and what was done to it.
      customerId: firstOf("customer", ownerOfSubject, ownerOfActor),
      partnerId: firstOf("partner", ownerOfActor, ownerOfSubject),
    })
    .returning({ id: auditEntries.id });
  return written?.id ?? "";
}

/** Of two organisations the first that is of this kind. */
const firstOf = (kind: "customer" | "partner", ...[one, other]: [SQL, SQL]) =>
  sql`coalesce((select id from organisations where kind = ${kind} and id = ${one}),
    (select id from organisations where kind = ${kind} and id = ${other}))`;

const organisationOfPerson = (id: string | null) => sql`(select organisation_id from people where id = ${id}::uuid)`;

/** The tables of documents that each are of an order, which entries call by their numbers. */
const documentsOfOrders: Record<string, string> = {
  invoice: "invoices",
  proforma: "proformas",
  receipt: "receipts",
  "refund voucher": "refund_vouchers",
};

/** The organisation that a subject belongs to, such as the one of order:ID. */
function organisationOf(subject: string): SQL {
  const [, kind = "", id = ""] = /^([a-z ]+):(.+)$/.exec(subject) ?? [];
  const documents = documentsOfOrders[kind];
  if (documents)
    return sql`(select organisation_id from ${sql.identifier(documents)} join orders on orders.id = order_id where number = ${id})`;
  if (kind === "credit note")
    return sql`(select organisation_id from credit_notes join invoices on invoices.id = invoice_id
      join orders on orders.id = order_id where credit_notes.number = ${id})`;
  if (!isUuid(id)) return sql`null::uuid`;
  switch (kind) {
    case "organisation":
      return sql`${id}::uuid`;
    case "person":
      return organisationOfPerson(id);
    case "session":
      return sql`(select organisation_id from sessions join people on people.id = person_id where sessions.id = ${id}::uuid)`;
    case "quote":
      return sql`(select organisation_id from quotes where id = ${id}::uuid)`;
    case "contract":
      return sql`(select organisation_id from contracts where id = ${id}::uuid)`;
    case "order":
      return sql`(select organisation_id from orders where id = ${id}::uuid)`;
    case "transfer":
      return sql`(select organisation_id from transfers join orders on orders.id = order_id where transfers.id = ${id}::uuid)`;
    case "incident":
      return sql`(select organisation_id from incidents where id = ${id}::uuid)`;
    default:
      return sql`null::uuid`;
  }
}
