import { type SQL, sql } from "drizzle-orm";
import { createHash, randomBytes } from "node:crypto";
import type { AuditAction } from "../../contract/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isUuid } from "../database/is-uuid.ts";
import { auditEntries, auditValues } from "../database/schema/index.ts";
import { origin } from "./origin.ts";

/**
 * Records who did what to what, in the transaction of the change; a refused request changes nothing and needs no entry.
 * The address comes from `workFrom`, the organisations concerned from the subject. `detail` must hold no secret;
 * `before` and `after` in it are shown side by side.
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

/** What goes into an entry, and what is kept beside it. */
export interface Told {
  /** Values about a person, such as a name before and after, or text that somebody typed. */
  values: Record<string, unknown>;
  detail?: Record<string, unknown>;
}

/**
 * Like `audit`, for entries about a person: the values are kept beside the chain and deleted when the person is erased.
 */
export const auditPerson = (
  transaction: Transaction,
  actorId: string | null,
  action: AuditAction,
  personId: string,
  told: Told,
) => auditBeside(transaction, actorId, action, { kind: "person", id: personId }, told);

/** What an entry is about that may hold free text about people; `forgetValues` deletes the values with it. */
export interface About {
  kind: "person" | "lead" | "action" | "quote";
  id: string;
  /** The person who typed the values, if they go with that person (`forgetTyped`) and not with the subject. */
  typedBy?: string;
}

/**
 * Writes an entry whose values stand beside the chain, with their hash in it: they can be erased later (decision 48).
 */
export async function auditBeside(
  transaction: Transaction,
  actorId: string | null,
  action: AuditAction,
  { kind, id, typedBy = id }: About,
  told: Told,
): Promise<void> {
  const salt = randomBytes(16).toString("base64url");
  // Hash the text that PostgreSQL writes for the values, because `audit:verify` hashes that.
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

/** Answers the entry's id. */
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
      // A customer reads what was done to it, whoever did it; a partner what was done to it and by its own people.
      customerId: firstOf("customer", ownerOfSubject, ownerOfActor),
      partnerId: firstOf("partner", ownerOfActor, ownerOfSubject),
    })
    .returning({ id: auditEntries.id });
  return written?.id ?? "";
}

/** The first of two organisations that is of this kind. */
const firstOf = (kind: "customer" | "partner", ...[one, other]: [SQL, SQL]) =>
  sql`coalesce((select id from organisations where kind = ${kind} and id = ${one}),
    (select id from organisations where kind = ${kind} and id = ${other}))`;

const organisationOfPerson = (id: string | null) => sql`(select organisation_id from people where id = ${id}::uuid)`;

/** Tables of documents with an `order_id`; entries refer to these documents by number. */
const documentsOfOrders: Record<string, string> = {
  invoice: "invoices",
  proforma: "proformas",
  receipt: "receipts",
  "refund voucher": "refund_vouchers",
};

/** The organisation that a subject such as order:ID belongs to. */
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
