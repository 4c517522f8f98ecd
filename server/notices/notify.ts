import { and, asc, eq, inArray, isNotNull, isNull, ne, type SQL, sql } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { notices, organisations, people } from "../database/schema/index.ts";
import { type NoticeFacts, type NoticeKind, noticeKinds, type Receivers, type Telling } from "./kinds.ts";

/** Whom a notice concerns, as far as its receivers depend on it. */
export interface Concerned {
  /**
   * The customer; null for an estimate that belongs to no account yet, so that nobody of the customer or partner is
   * told.
   */
  organisationId?: string | null;
  /** Whether the partner is told; true by default. */
  isPartners?: boolean;
  /** The ids of people. */
  people?: readonly string[];
  /** The person who did it, who is not told. */
  except?: string | null;
}

/**
 * Writes notices in the transaction of their cause. Each person is told of an event only once, however often this is
 * called; suspended people and those who have not joined are not told.
 */
export async function notify<Kind extends NoticeKind>(
  transaction: Transaction,
  kind: Kind,
  eventKey: string,
  facts: NoticeFacts[Kind],
  concerned: Concerned,
): Promise<void> {
  for (const telling of noticeKinds[kind] as readonly Telling<NoticeFacts[Kind]>[]) {
    const who = receiversOf[telling.to](concerned);
    // oxlint-disable-next-line no-await-in-loop -- a kind has three tellings at most, on one connection
    if (who) await write(transaction, kind, eventKey, telling, facts, and(who, isNotYetAware(concerned)));
  }
}

/** A condition on `people`; undefined where there are no receivers. */
const receiversOf: Record<Receivers, (concerned: Concerned) => SQL | undefined> = {
  customer: ({ organisationId }) => (organisationId ? eq(people.organisationId, organisationId) : undefined),
  partner: ({ organisationId, isPartners = true }) =>
    organisationId && isPartners
      ? sql`${people.organisationId} = (select partner_id from organisations where id = ${organisationId}::uuid)`
      : undefined,
  provider: () => inArray(people.role, ["admin", "adminChild"]),
  named: ({ people: ids = [] }) => (ids.length > 0 ? inArray(people.id, [...ids]) : undefined),
};

const isNotYetAware = ({ except }: Concerned) => (except ? ne(people.id, except) : undefined);

async function write<Facts>(
  transaction: Transaction,
  kind: NoticeKind,
  eventKey: string,
  telling: Telling<Facts>,
  facts: Facts,
  who: SQL | undefined,
): Promise<void> {
  const told = await transaction
    .select({ personId: people.id })
    .from(people)
    .innerJoin(organisations, eq(organisations.id, people.organisationId))
    .where(and(who, isNotNull(people.joinedAt), isNull(people.suspendedAt), isNull(organisations.suspendedAt)))
    // A fixed order, so that concurrent calls wait for each other and don't deadlock.
    .orderBy(asc(people.id));
  if (told.length === 0) return;
  const words = { title: telling.title(facts), text: telling.text(facts), link: telling.link(facts) };
  await transaction
    .insert(notices)
    .values(told.map(({ personId }) => ({ personId, kind, eventKey: `${kind}:${eventKey}`, ...words })))
    .onConflictDoNothing({ target: [notices.personId, notices.eventKey] });
}
