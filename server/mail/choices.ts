import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { canBeTurnedOff, type MailChoice, mailKinds, mailKindsOf } from "../../contract/mail-kinds.ts";
import type { MailKind } from "../../contract/mail-choices.ts";
import { areaOf } from "../../contract/roles.ts";
import { personOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { mailsTurnedOff, people } from "../database/schema/index.ts";
import type { Services } from "../services.ts";

/** The kinds of mail for the caller's role, and which of them the caller gets. */
export async function listChoices({ database }: Services, scope: Scope<"own">): Promise<MailKind[]> {
  const off = await database
    .select({ kind: mailsTurnedOff.kind })
    .from(mailsTurnedOff)
    .where(eq(mailsTurnedOff.personId, personOf(scope)));
  const turnedOff = new Set<string>(off.map(({ kind }) => kind));
  return mailKindsOf(areaOf(scope.actor.role)).map((kind) => ({
    kind,
    name: mailKinds[kind].name,
    about: mailKinds[kind].about,
    can_be_turned_off: canBeTurnedOff(kind),
    wanted: !turnedOff.has(kind),
  }));
}

/** Turns a kind of mail on or off for the caller; without a change, no audit entry is written. */
export async function chooseMails(
  { database }: Services,
  scope: Scope<"own">,
  choice: { kind: MailChoice; wanted: boolean },
): Promise<void> {
  await database.transaction((transaction) => keepChoice(transaction, personOf(scope), choice, "account"));
}

/** Turns a kind of mail off by the signed link in a mail; does nothing for a deleted account. */
export async function stopMails({ database }: Services, personId: string, kind: MailChoice): Promise<void> {
  await database.transaction(async (transaction) => {
    const [person] = await transaction
      .select({ id: people.id })
      .from(people)
      .where(eq(people.id, personId))
      .for("share");
    if (person) await keepChoice(transaction, person.id, { kind, wanted: false }, "mailed link");
  });
}

/** Whether a person has turned a kind off, and their role; null for a deleted account. */
export async function readMailChoice({ database }: Services, personId: string, kind: MailChoice) {
  const [person] = await database
    .select({ role: people.role, isOff: isNotNull(mailsTurnedOff.personId) as ReturnType<typeof sql<boolean>> })
    .from(people)
    .leftJoin(mailsTurnedOff, and(eq(mailsTurnedOff.personId, people.id), eq(mailsTurnedOff.kind, kind)))
    .where(eq(people.id, personId));
  return person ?? null;
}

async function keepChoice(
  transaction: Transaction,
  personId: string,
  { kind, wanted }: { kind: MailChoice; wanted: boolean },
  by: "account" | "mailed link",
): Promise<void> {
  const { rowCount } = wanted
    ? await transaction
        .delete(mailsTurnedOff)
        .where(and(eq(mailsTurnedOff.personId, personId), eq(mailsTurnedOff.kind, kind)))
    : await transaction.insert(mailsTurnedOff).values({ personId, kind }).onConflictDoNothing();
  if (rowCount === 0) return;
  const told = (isOn: boolean) => ({ [mailKinds[kind].name]: isOn });
  await audit(transaction, personId, "choose mails", `person:${personId}`, {
    by,
    before: told(!wanted),
    after: told(wanted),
  });
}

/** SQL condition on `people`: the person has not turned the kind off. */
export const wantsMails = (kind: MailChoice) =>
  sql<boolean>`not exists (select from mails_turned_off where person_id = people.id and kind = ${kind})`;

/** The account with this address and whether it wants mails of the kind; undefined without an account. */
export async function findReceiver(transaction: Transaction, email: string, kind: MailChoice) {
  const [receiver] = await transaction
    .select({ id: people.id, wantsIt: isNull(mailsTurnedOff.personId) as ReturnType<typeof sql<boolean>> })
    .from(people)
    .leftJoin(mailsTurnedOff, and(eq(mailsTurnedOff.personId, people.id), eq(mailsTurnedOff.kind, kind)))
    .where(and(eq(people.email, email), isNotNull(people.joinedAt)));
  return receiver;
}
