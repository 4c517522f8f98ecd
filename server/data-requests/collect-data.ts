import { and, asc, eq, isNull, or } from "drizzle-orm";
import type { Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { readInTurn } from "../database/read-in-turn.ts";
import {
  attempts,
  creditNotes,
  incidentFiles,
  invoices,
  leads,
  orders,
  people,
  proformas,
  quoteDecisions,
  quoteRevisions,
  quotes,
  receipts,
  refundVouchers,
  taxDeductions,
} from "../database/schema/index.ts";
import {
  acceptanceShownAs,
  certificateShownAs,
  creditNoteShownAs,
  invoiceShownAs,
  proformaShownAs,
  proposalShownAs,
  receiptShownAs,
  refundVoucherShownAs,
  supersededShownAs,
} from "../files/shown-as.ts";
import type { Services } from "../services.ts";
import { nameInZip } from "../zip/write-zip.ts";
import type { DataSection, Owner } from "./data-section.ts";
import { dataSections } from "./data-sections.ts";

/** The person, found by account or, without one, by e-mail. */
interface Whose {
  email: string;
  personId: string | null;
}

/** Everything about a person, read on demand because it may not fit into memory. */
export interface PersonData {
  email: string;
  /** Files with their names in the store and in the ZIP. */
  files: { file: string; shownAs: string }[];
  /** Gives `use` all the rest, as a snapshot that lasts while it runs. */
  read(use: (data: Collected) => Promise<void>): Promise<void>;
}

export interface Collected {
  collectedAt: string;
  sections: Section[];
}

/** What one table holds about the person. */
export interface Section {
  name: string;
  title: string;
  /** Can be read several times with the same result. */
  rows(): AsyncIterable<Record<string, unknown>[]>;
}

/** Everything known about a person, except secrets and purely technical data. */
export async function collectData({ database, now }: Services, whose: Whose): Promise<PersonData> {
  const atOneMoment = { isolationLevel: "repeatable read", accessMode: "read only" } as const;
  const found = await database.transaction(async (transaction) => {
    const owner = await findOwner(transaction, whose);
    return { email: owner.email, files: await findFiles(transaction, owner) };
  }, atOneMoment);
  return {
    ...found,
    read: (use) =>
      database.transaction(async (transaction) => {
        const owner = await findOwner(transaction, whose);
        const sections = dataSections.map((section) => sectionOf(transaction, owner, section));
        await use({ collectedAt: now().toISOString(), sections });
      }, atOneMoment),
  };
}

function sectionOf(transaction: Transaction, owner: Owner, { name, title, rows, without = [] }: DataSection): Section {
  const hidden = new Set([...without, "searched", "emailDomain", "dueOn"]);
  return {
    name,
    title,
    async *rows() {
      for await (const found of readInTurn(transaction, rows(transaction, owner)))
        yield found.map((row) => omit(row, hidden));
    },
  };
}

/** Put into every list of ids, because an empty list would be no condition. */
const nobodysId = "00000000-0000-0000-0000-000000000000";

async function findOwner(transaction: Transaction, whose: Whose): Promise<Owner> {
  const { personId } = whose;
  // The address may have been corrected since the request, and the former one be another's by now.
  const [account] = await transaction
    .select({ email: people.email })
    .from(people)
    .where(eq(people.id, personId ?? nobodysId));
  const email = account?.email ?? whose.email;
  const idsOf = (rows: { id: string }[]) => [nobodysId, ...rows.map(({ id }) => id)];
  const persons = await transaction
    .select({ id: people.id, organisationId: people.organisationId, joinedAt: people.joinedAt })
    .from(people)
    .where(or(eq(people.email, email), eq(people.id, personId ?? nobodysId)));
  const own = idsOf(persons);
  const asked = await transaction.select({ id: quotes.id }).from(quotes).where(eq(quotes.userEmail, email));
  const wishes = await transaction.select({ id: leads.id }).from(leads).where(eq(leads.userEmail, email));
  const bought = idsOf(await transaction.select({ id: orders.id }).from(orders).where(isOneOf(orders.buyerId, own)));
  const tries = await transaction
    .select({ id: attempts.id })
    .from(attempts)
    // An order has one buyer, the last, and may have been tried by colleagues before, each with details of their own.
    .where(or(isOneOf(attempts.startedBy, own), and(isOneOf(attempts.orderId, bought), isNull(attempts.startedBy))));
  return {
    email,
    people: own,
    // A person who was invited and has not joined belongs to no organisation.
    organisations: idsOf(persons.filter(({ joinedAt }) => joinedAt).map(({ organisationId: id }) => ({ id }))),
    quotes: idsOf(asked),
    leads: idsOf(wishes),
    orders: bought,
    attempts: idsOf(tries),
  };
}

/** The person's proposals with superseded revisions, accepted proposals, invoices, credit notes and attachments. */
export async function findFiles(transaction: Transaction, owner: Owner): Promise<PersonData["files"]> {
  const proposals = await transaction
    .select({ file: quotes.proposalFile, serial: quotes.serial, revision: quotes.revision })
    .from(quotes)
    .where(isOneOf(quotes.id, owner.quotes))
    .orderBy(asc(quotes.serial));
  const superseded = await transaction
    .select({ file: quoteRevisions.proposalFile, serial: quotes.serial, revision: quoteRevisions.revision })
    .from(quoteRevisions)
    .innerJoin(quotes, eq(quotes.id, quoteRevisions.quoteId))
    .where(isOneOf(quotes.id, owner.quotes))
    .orderBy(asc(quotes.serial), asc(quoteRevisions.revision));
  const numbered = (table: typeof invoices | typeof proformas | typeof receipts | typeof refundVouchers) =>
    transaction
      .select({ file: table.file, number: table.number })
      .from(table)
      .where(isOneOf(table.orderId, owner.orders))
      .orderBy(asc(table.number));
  const issued = await numbered(invoices);
  const asked = await numbered(proformas);
  const received = await numbered(receipts);
  const givenBack = await numbered(refundVouchers);
  const credited = await transaction
    .select({ file: creditNotes.file, number: creditNotes.number })
    .from(creditNotes)
    .innerJoin(invoices, eq(invoices.id, creditNotes.invoiceId))
    .where(isOneOf(invoices.orderId, owner.orders))
    .orderBy(asc(creditNotes.number));
  const certified = await transaction
    .select({ file: taxDeductions.file, number: taxDeductions.certificateNumber })
    .from(taxDeductions)
    .where(isOneOf(taxDeductions.orderId, owner.orders))
    .orderBy(asc(taxDeductions.claimedAt));
  const accepted = await transaction
    .select({ file: quoteDecisions.file, serial: quotes.serial, revision: quoteDecisions.revision })
    .from(quoteDecisions)
    .innerJoin(quotes, eq(quotes.id, quoteDecisions.quoteId))
    .where(isOneOf(quoteDecisions.personId, owner.people))
    .orderBy(asc(quotes.serial), asc(quoteDecisions.revision));
  const attached = await transaction
    .select({ file: incidentFiles.file, name: incidentFiles.name })
    .from(incidentFiles)
    .where(isOneOf(incidentFiles.personId, owner.people))
    .orderBy(asc(incidentFiles.createdAt), asc(incidentFiles.id));
  const named = [
    ...proposals.map((quote) => ({ file: quote.file, shownAs: proposalShownAs(quote) })),
    ...superseded.map((quote) => ({ file: quote.file, shownAs: supersededShownAs(quote) })),
    ...issued.map(({ file, number }) => ({ file, shownAs: invoiceShownAs(number) })),
    ...credited.map(({ file, number }) => ({ file, shownAs: creditNoteShownAs(number) })),
    ...asked.map(({ file, number }) => ({ file, shownAs: proformaShownAs(number) })),
    ...received.map(({ file, number }) => ({ file, shownAs: receiptShownAs(number) })),
    ...givenBack.map(({ file, number }) => ({ file, shownAs: refundVoucherShownAs(number) })),
    ...certified.map(({ file, number }) => ({ file, shownAs: certificateShownAs(number) })),
    ...accepted.map((quote) => ({ file: quote.file, shownAs: acceptanceShownAs(quote) })),
    ...attached.map(({ file, name }) => ({ file, shownAs: name })),
  ];
  return withOwnNames(named.flatMap(({ file, shownAs }) => (file ? [{ file, shownAs }] : [])));
}

/**
 * Makes the file names unique in the ZIP, and on a disk that ignores case: two customers' certificates may share a
 * number, and people name their files freely.
 */
function withOwnNames(files: PersonData["files"]): PersonData["files"] {
  const entryOf = (shownAs: string) => nameInZip(shownAs).toLowerCase();
  // How far each name has been counted; the empty name counts as taken.
  const counted = new Map([["", 1]]);
  return files.map(({ file, shownAs }) => {
    const first = entryOf(shownAs);
    let times = counted.get(first) ?? 1;
    let own = shownAs;
    while (counted.has(entryOf(own))) {
      times += 1;
      own = shownAs.replace(/(\.\w+)?$/, `-${times}$1`);
    }
    counted.set(first, times).set(entryOf(own), 1);
    return { file, shownAs: own };
  });
}

const omit = (row: Record<string, unknown>, hidden: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.has(name)));
