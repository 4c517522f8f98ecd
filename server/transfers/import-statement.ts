import { asc, eq, sql } from "drizzle-orm";
import { contentLimits } from "../../contract/content-limits.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { formatRupees, rupees } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { StatementPreview } from "../../contract/transfers.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { refusedFile } from "../csv/read-csv.ts";
import type { Database, Transaction } from "../database/database.ts";
import { isOneOf } from "../database/is-one-of.ts";
import { bankStatements, orders } from "../database/schema/index.ts";
import { findPaidOut } from "../ledger/bank-references.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { findByNarration, matchTransfer, type TransferRow } from "./match-transfer.ts";
import { callForMatch, findByUtr, keepSeen, keepUnknown, lockUtrs } from "./record-transfer.ts";
import { type ReadStatement, readStatementFile, type StatementRow } from "./statement-file.ts";

/** Reads a file and adds errors where it contradicts our records. */
async function readStatement(
  { database, now }: Pick<Services, "database" | "now">,
  file: string,
): Promise<ReadStatement & { known: Map<string, TransferRow>; bytes: Buffer }> {
  const bytes = Buffer.from(file, "base64");
  const read = readStatementFile(bytes);
  const known = await findByUtr(database, utrsOf(read.rows));
  const today = writtenDay(now());
  const errors = read.rows.flatMap((row) => {
    const before = known.get(row.utr);
    if (before && before.state !== "announced" && before.amountPaise !== row.amountPaise)
      return [{ line: row.line, error: `UTR: ${row.utr} is here with ${formatRupees(before.amountPaise)}` }];
    return row.receivedOn > today ? [{ line: row.line, error: "Date: this day is still to come" }] : [];
  });
  const all = [...read.errors, ...errors].toSorted((one, other) => one.line - other.line);
  const wrong = new Set(errors.map(({ line }) => line));
  return { ...read, rows: read.rows.filter(({ line }) => !wrong.has(line)), errors: all, known, bytes };
}

const utrsOf = (rows: readonly StatementRow[]) => rows.map(({ utr }) => utr);

const isHere = (known: Map<string, TransferRow>, { utr }: StatementRow) =>
  known.has(utr) && known.get(utr)?.state !== "announced";

/** What a bank statement contains and pays for; changes nothing. @throws Failure invalid */
export async function previewStatement(
  services: Services,
  _scope: Scope<"any">,
  file: string,
): Promise<StatementPreview> {
  const { rows, skipped, leftOut, errors, note, known } = await readStatement(services, file);
  const fresh = rows.filter((row) => !isHere(known, row));
  const found: StatementPreview["found"] = [];
  const wentOut = await findPaidOut(services.database, utrsOf(fresh));
  let matched = 0;
  for (const row of fresh) {
    const back = wentOut.get(row.utr);
    // oxlint-disable-next-line no-await-in-loop -- each row asks for its own reference
    const pays = back ? null : await findPaid(services.database, row);
    if (pays) matched++;
    const says = pays ?? (back ? `a person says what it pays, as by ${row.utr} ${back}` : "nothing says what it pays");
    if (found.length < contentLimits.previewRows)
      found.push({ line: row.line, says: `${formatRupees(row.amountPaise)}: ${says}` });
  }
  return {
    note,
    rows: rows.length,
    skipped,
    leftOut: leftOut.length,
    without: leftOut.slice(0, contentLimits.previewRows),
    known: rows.length - fresh.length,
    matched,
    total: rupees(fresh.reduce((sum, { amountPaise }) => sum + amountPaise, 0)),
    found,
    errors: errors.length,
    wrong: errors.slice(0, contentLimits.previewRows),
  };
}

async function findPaid(database: Database, row: StatementRow): Promise<string | null> {
  const orderId = await findByNarration(database, row.narration);
  if (!orderId) return null;
  const [order] = await database.select().from(orders).where(eq(orders.id, orderId));
  return order ? `pays ${orderNumber(order.serial)}, ${order.organisationName}` : null;
}

/**
 * Takes in a bank statement as a whole or not at all. Keeps each row that brought money once for ever, and matches rows
 * that name a proforma, unless money went out under the same reference: such a row may be a returned pay-out. Returns a
 * sentence for the page.
 * @throws Failure invalid for a file with errors
 */
export async function importStatement(
  services: Services,
  { actor }: Scope<"any">,
  { file, name }: { file: string; name: string },
): Promise<string> {
  const { rows, errors, leftOut, bytes } = await readStatement(services, file);
  const [first] = errors;
  if (first) throw refusedFile(`Nothing was imported. Line ${first.line}: ${first.error}`);
  const hash = sha256Of(bytes);
  return services.database.transaction(async (transaction) => {
    // One file at a time, and all its references before the first order, so that no two imports deadlock.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('bank statement', 0))`);
    const [made] = await transaction
      .insert(bankStatements)
      .values({ hash, name, uploadedBy: actor.personId, uploadedAt: services.now() })
      .onConflictDoNothing({ target: bankStatements.hash })
      .returning({ id: bankStatements.id });
    if (!made) return "This file was imported before. Nothing has changed.";
    const known = await lockUtrs(transaction, utrsOf(rows));
    const wentOut = await findPaidOut(transaction, utrsOf(rows));
    const pays = await lockPaid(
      transaction,
      rows.filter((row) => !isHere(known, row) && !wentOut.has(row.utr)),
    );
    const isUnknown = ({ utr }: StatementRow) => !known.has(utr) && !pays.has(utr);
    const unknown = rows.filter(isUnknown).map(({ line: _line, ...row }) => ({ ...row, statementId: made.id }));
    await keepUnknown(services, transaction, unknown, wentOut);
    const counts = { rows: unknown.length, known: 0, matched: 0 };
    for (const row of rows.filter((each) => !isUnknown(each))) {
      // oxlint-disable-next-line no-await-in-loop -- within one transaction
      const became = await takeRow(services, transaction, [actor.personId, made.id], row, {
        known: known.get(row.utr),
        orderId: pays.get(row.utr),
        wentOut: wentOut.get(row.utr),
      });
      counts[became === "known" ? "known" : "rows"]++;
      if (became === "matched") counts.matched++;
    }
    await audit(transaction, actor.personId, "import bank statement", `bank statement:${made.id}`, {
      file: name,
      ...counts,
      ...(leftOut.length > 0 && { leftOut: leftOut.length }),
    });
    const imported = `${counts.rows} ${counts.rows === 1 ? "transfer" : "transfers"} imported, ${counts.matched} of them matched; ${counts.known} known before`;
    return leftOut.length > 0 ? `${imported}; ${leftOut.length} left out without a reference.` : `${imported}.`;
  });
}

/**
 * The orders that rows pay, by bank reference. Locks them all before the first document is numbered: a concurrent
 * payment of one of them holds its order and waits for a number.
 */
async function lockPaid(transaction: Transaction, rows: readonly StatementRow[]): Promise<Map<string, string>> {
  const pays = new Map<string, string>();
  for (const { utr, narration } of rows) {
    // oxlint-disable-next-line no-await-in-loop -- each row asks for its own reference
    const orderId = await findByNarration(transaction, narration);
    if (orderId) pays.set(utr, orderId);
  }
  await transaction
    .select({ id: orders.id })
    .from(orders)
    .where(isOneOf(orders.id, [...new Set(pays.values())]))
    .orderBy(asc(orders.id))
    .for("update");
  return pays;
}

async function takeRow(
  services: Services,
  transaction: Transaction,
  [actorId, statementId]: [actorId: string, statementId: string],
  { line: _line, ...row }: StatementRow,
  {
    known,
    orderId,
    wentOut,
  }: { known: TransferRow | undefined; orderId: string | undefined; wentOut: string | undefined },
): Promise<"known" | "seen" | "matched"> {
  if (known && known.state !== "announced") {
    if (known.amountPaise !== row.amountPaise)
      throw refusedFile(`Nothing was imported. ${row.utr} is here with ${formatRupees(known.amountPaise)}.`);
    return "known";
  }
  const kept = await keepSeen(services, transaction, known, { ...row, statementId });
  if (orderId) {
    await matchTransfer(services, transaction, kept.id, orderId, actorId);
    return "matched";
  }
  await callForMatch(transaction, kept, wentOut);
  return "seen";
}
