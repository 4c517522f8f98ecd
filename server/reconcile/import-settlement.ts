import { inArray, sql } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { contentLimits } from "../../contract/content-limits.ts";
import { rupees } from "../../contract/money.ts";
import { findingKinds } from "../../contract/finding-kinds.ts";
import type { SettlementPreview, SettlementSums } from "../../contract/reconcile.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { attempts, settlementFiles, settlementLines } from "../database/schema/index.ts";
import { refusedFile } from "../csv/read-csv.ts";
import { noteFindings, settleFindings } from "../orders/findings.ts";
import { settledStates } from "../orders/take-step.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { findingOfChange, findUnsettled, keyOf, knownRows, type Matched, matchRows } from "./match-settlement.ts";
import { readSettlementFile, type SettledRow } from "./settlement-file.ts";

/** What a settlement file contains and where it differs from our records; changes nothing. @throws Failure invalid */
export async function previewSettlement(
  { database, gateway, now }: Services,
  _scope: Scope<"any">,
  file: string,
): Promise<SettlementPreview> {
  const { rows, errors, note } = readSettlementFile(Buffer.from(file, "base64"), writtenDay(now()));
  const known = await knownRows(database, gateway.name, rows);
  const matched = await matchRows(database, gateway.name, rows);
  const differing = matched.flatMap((each) => {
    const finding = findingOfChange(each, known) ?? each.finding;
    return finding ? [{ line: each.row.line, ...finding }] : [];
  });
  return {
    note,
    rows: rows.length + errors.length,
    known: known.size,
    matched: matched.length - differing.length,
    sums: sumsOf(rows),
    findings: differing.length,
    found: differing
      .slice(0, contentLimits.previewRows)
      .map(({ line, kind, says }) => ({ line, kind: findingKinds[kind], says })),
    errors: errors.length,
    wrong: errors.slice(0, contentLimits.previewRows),
  };
}

/**
 * Takes in a settlement file as a whole or not at all: keeps each row once for ever, and notes differences and what is
 * missing on either side. Returns a sentence for the page.
 * @throws Failure invalid for a file with errors
 */
export async function importSettlement(
  services: Services,
  { actor }: Scope<"any">,
  { file, name }: { file: string; name: string },
): Promise<string> {
  const bytes = Buffer.from(file, "base64");
  const { rows, errors } = readSettlementFile(bytes, writtenDay(services.now()));
  const [first] = errors;
  if (first) throw refusedFile(`Nothing was imported. Line ${first.line}: ${first.error}`);
  const hash = sha256Of(bytes);
  return services.database.transaction(async (transaction) => {
    // One file at a time: each is compared with what the files before it left open.
    await transaction.execute(sql`select pg_advisory_xact_lock(hashtextextended('settlement', 0))`);
    const period = periodOf(rows);
    const [made] = await transaction
      .insert(settlementFiles)
      .values({ hash, name, uploadedBy: actor.personId, uploadedAt: services.now(), ...period })
      .onConflictDoNothing({ target: settlementFiles.hash })
      .returning({ id: settlementFiles.id });
    if (!made) return "This file was imported before. Nothing has changed.";
    const known = await knownRows(transaction, services.gateway.name, rows);
    const matched = await matchRows(transaction, services.gateway.name, rows);
    const fresh = matched.filter(({ row }) => !known.has(keyOf(row)));
    await keepLines(transaction, services.gateway.name, made.id, fresh);
    const found = [
      ...fresh.flatMap(({ finding }) => finding ?? []),
      ...matched.flatMap((each) => findingOfChange(each, known) ?? []),
    ];
    await askAboutUnknown(services, transaction, fresh);
    await settleFindings(
      transaction,
      ["not settled", "refund not settled"],
      fresh.map(({ row }) => row.gatewayId),
      `Settled in ${name}.`,
      services.now(),
    );
    await noteFindings(transaction, found);
    const unsettled = await noteUnsettled(transaction, services.gateway.name, period);
    const counts = { rows: fresh.length, known: known.size, differ: found.length, unsettled };
    await audit(transaction, actor.personId, "import settlement", `settlement:${made.id}`, { file: name, ...counts });
    return `${counts.rows} ${counts.rows === 1 ? "row" : "rows"} imported, ${counts.known} known before. ${counts.differ} differ, ${counts.unsettled} more of our payments and refunds are in no settlement.`;
  });
}

/** Works page by page; returns how many findings were not noted before. */
async function noteUnsettled(
  transaction: Transaction,
  gateway: string,
  period: ReturnType<typeof periodOf>,
): Promise<number> {
  const found = await findUnsettled(transaction, gateway, period);
  if (found.length === 0) return 0;
  await noteFindings(transaction, found);
  return found.length + (await noteUnsettled(transaction, gateway, period));
}

function periodOf(rows: readonly SettledRow[]): { firstDay: string; lastDay: string } {
  const days = rows.map(({ settledOn }) => settledOn).toSorted();
  return { firstDay: days[0] ?? "", lastDay: days.at(-1) ?? "" };
}

/** Far below the number of parameters that PostgreSQL allows in one statement. */
const rowsAtOnce = 1000;

async function keepLines(transaction: Transaction, gateway: string, fileId: string, lines: readonly Matched[]) {
  for (let from = 0; from < lines.length; from += rowsAtOnce)
    // oxlint-disable-next-line no-await-in-loop -- within one transaction
    await transaction.insert(settlementLines).values(
      lines.slice(from, from + rowsAtOnce).map(({ row, attempt, refund }) => ({
        ...row,
        fileId,
        gateway,
        attemptId: attempt?.id ?? null,
        refundId: refund?.id ?? null,
      })),
    );
}

/** Has the gateway asked about attempts for which it has money, or made refunds, that we don't know of. */
async function askAboutUnknown({ now }: Services, transaction: Transaction, lines: readonly Matched[]): Promise<void> {
  const settled: readonly string[] = settledStates;
  const unknown = lines.flatMap(({ row, attempt, refund }) =>
    attempt && (!settled.includes(attempt.state) || (row.kind === "refund" && !refund)) ? [attempt.id] : [],
  );
  if (unknown.length === 0) return;
  await transaction.update(attempts).set({ nextCheckAt: now() }).where(inArray(attempts.id, unknown));
}

export function sumsOf(
  rows: readonly Pick<SettledRow, "kind" | "amountPaise" | "feePaise" | "taxPaise" | "netPaise">[],
): SettlementSums {
  const ofKind = (kind: SettledRow["kind"]) => rows.filter((row) => row.kind === kind);
  const sum = (some: typeof rows, of: "amountPaise" | "feePaise" | "taxPaise" | "netPaise") =>
    rupees(some.reduce((total, row) => total + row[of], 0));
  return {
    payments: ofKind("payment").length,
    refunds: ofKind("refund").length,
    paid: sum(ofKind("payment"), "amountPaise"),
    refunded: sum(ofKind("refund"), "amountPaise"),
    // Before fee and tax, so that all the sums of a file add up to what arrives.
    other: rupees(
      ofKind("other").reduce((total, { feePaise, taxPaise, netPaise }) => total + feePaise + taxPaise + netPaise, 0),
    ),
    fees: sum(rows, "feePaise"),
    taxes: sum(rows, "taxPaise"),
    net: sum(rows, "netPaise"),
  };
}
