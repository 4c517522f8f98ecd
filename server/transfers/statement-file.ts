import { contentLimits } from "../../contract/content-limits.ts";
import { formatRupees } from "../../contract/money.ts";
import { withoutFaults } from "../../contract/plain-text.ts";
import { faultOfTransfer } from "../../contract/transfers.ts";
import { cellsOf, dayOfCell, hasColumns, paiseOfCell, placesOf, whyNoAmount, whyNoDay } from "../csv/cells.ts";
import { type Line, readCsv, refusedFile } from "../csv/read-csv.ts";
import { referenceIn } from "./reference-in.ts";

/** A row of a bank statement with money that came in, in paise. */
export interface StatementRow {
  line: number;
  utr: string;
  amountPaise: number;
  receivedOn: string;
  payer: string;
  narration: string;
}

export interface ReadStatement {
  rows: StatementRow[];
  /** Rows with money that went out, or with no money. */
  skipped: number;
  /** Rows with money that came in under no reference of a bank, such as interest or a cheque, as the page tells them. */
  leftOut: { line: number; says: string }[];
  /** Errors by line; the header is line 1. */
  errors: { line: number; error: string }[];
  note: string | null;
}

/** The columns and the banks' names for them, compared by letters only, ignoring case. */
const columns = {
  day: ["date", "transactiondate", "txndate", "trandate", "valuedate", "postdate"],
  narration: ["narration", "description", "particulars", "remarks", "transactionremarks"],
  utr: [
    "utr",
    "utrnumber",
    "referencenumber",
    "refno",
    "chqrefno",
    "chqrefnumber",
    "chequerefno",
    "reference",
    "transactionid",
  ],
  credit: ["credit", "creditamount", "depositamount", "deposit", "depositamt", "creditinr", "depositamountinr", "cr"],
  payer: ["payer", "payername", "remitter", "remittername", "sender"],
  /** Some banks have one column for both ways, and another that says which. */
  amount: ["amount", "transactionamount", "txnamount", "amountinr"],
  side: ["drcr", "crdr", "debitcredit", "creditdebit", "transactiontype", "txntype", "type"],
} as const;
type ColumnName = keyof typeof columns;
type Cells = Record<ColumnName, string>;

/** The columns that a header may lack: a narration may hold the UTR, and what came in has one column or two. */
const mayLack: readonly [readonly ColumnName[], readonly ColumnName[]] = [
  ["utr", "payer", "amount", "side"],
  ["utr", "payer", "credit"],
];

/** How many lines a bank may write above the header. */
const linesAboveMax = 60;

/** What stands in place of a day in a line that is drawn, or that sums up others. */
const noDay = /^(?:[*=_-]+|(?:grand |page |sub)?total\b.*|(?:opening|closing) balance\b.*)$/i;
/** What begins a part of its own, below all rows. */
const summary = /^statement summary\b/i;

/**
 * Reads a bank statement, with whatever its bank writes above the header; invalid rows become errors.
 * @throws Failure invalid for a file that can't be read as a statement
 */
export function readStatementFile(bytes: Uint8Array): ReadStatement {
  const { head, rows, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const { places, records } = belowHeader([{ record: head, line: 1 }, ...rows]);
  if (records.length === 0) throw refusedFile("The file has a header and no rows.");
  const read: ReadStatement = { rows: [], skipped: 0, leftOut: [], errors: [], note };
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const cells = cellsOf(record, places);
    const row = (places.credit < 0 && wrongSide(cells, line)) || readRow(cells, line);
    if (row === null) read.skipped++;
    else if ("error" in row) read.errors.push(row);
    else if ("says" in row) read.leftOut.push(row);
    else if (firstLines.has(row.utr))
      read.errors.push({ line, error: `UTR: ${row.utr} stands in line ${firstLines.get(row.utr)} already` });
    else {
      firstLines.set(row.utr, line);
      read.rows.push(row);
    }
  }
  return read;
}

/** Where the columns stand, and the rows below them. */
function belowHeader(lines: readonly Line[]) {
  const lacking = (record: readonly string[]) => mayLack.find((names) => hasColumns(record, columns, names));
  const at = Math.max(
    0,
    lines.slice(0, linesAboveMax).findIndex(({ record }) => lacking(record)),
  );
  const head = lines[at]?.record ?? [];
  const places = placesOf(head, columns, {
    shown: (name) => shown[name],
    has: "A bank statement has Date, Narration and Credit, and the UTR in a column or in the narration.",
    mayLack: lacking(head) ?? mayLack[0],
  });
  const below = lines.slice(at + 1);
  const end = below.findIndex(({ record }) => summary.test(record.find((cell) => cell !== "") ?? ""));
  return { places, records: end < 0 ? below : below.slice(0, end) };
}

const shown: Record<ColumnName, string> = {
  day: "Date",
  narration: "Narration",
  utr: "UTR",
  credit: "Credit",
  payer: "Payer",
  amount: "Amount",
  side: "Dr / Cr",
};

/** Returns the row, what is wrong with it, why it is left out, or null if no money came in. */
function readRow(
  cells: Cells,
  line: number,
): StatementRow | { line: number; error: string } | { line: number; says: string } | null {
  const wrong = (error: string) => ({ line, error });
  const written = creditIn(cells);
  const credit = written.replace(/[,₹\s]/g, "");
  if (/^-?0*(\.0*)?$/.test(credit) || noDay.test(cells.day)) return null;
  const amountPaise = paiseOfCell(written);
  if (amountPaise === null || amountPaise < 0) return wrong(`Credit: “${written.slice(0, 40)}” ${whyNoAmount}`);
  const fault = faultOfTransfer(amountPaise / 100);
  if (fault) return wrong(`Credit: ${fault}`);
  const receivedOn = dayOfCell(cells.day, { shortYears: true });
  if (!receivedOn) return wrong(`Date: ${whyNoDay(cells.day, { shortYears: true })}`);
  const narration = oneLine(cells.narration, 300);
  const utr = referenceIn(cells.utr, narration);
  if (!utr) return { line, says: `${formatRupees(amountPaise)}: ${narration || "without a narration"}` };
  return { line, utr, amountPaise, receivedOn, payer: oneLine(cells.payer, 120), narration };
}

const itCame = /^(?:c|cr|credit|deposit)\.?$/i;
const itWent = /^(?:d|dr|debit|withdrawal)\.?$/i;

/** What came in, as written: in a column of its own, or in one for both ways. */
const creditIn = ({ credit, amount, side }: Cells): string => (credit === "" && itCame.test(side) ? amount : credit);

/** A row of a file with one column for both ways that says neither: what came must not be left out unseen. */
function wrongSide({ day, amount, side }: Cells, line: number): { line: number; error: string } | null {
  if (itCame.test(side) || itWent.test(side) || noDay.test(day) || paiseOfCell(amount) === 0) return null;
  const says = `“${side.slice(0, 40)}” says neither that money came nor that it went; please write Cr or Dr`;
  return { line, error: `Dr / Cr: ${says}` };
}

/** Without characters that are invisible or reorder the text: an administrator compares who paid with what is asked. */
const oneLine = (text: string, max: number) =>
  // A cell may be much longer than what is kept of it, and looking through it takes a while.
  withoutFaults(text.slice(0, 2 * max))
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, max);
