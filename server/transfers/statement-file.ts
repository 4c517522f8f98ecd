import { contentLimits } from "../../contract/content-limits.ts";
import { faultOfTransfer } from "../../contract/transfers.ts";
import { cellsOf, dayOfCell, paiseOfCell, placesOf, whyNoAmount, whyNoDay } from "../csv/cells.ts";
import { readCsv, refusedFile } from "../csv/read-csv.ts";

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
  /** Errors by line; the header is line 1. */
  errors: { line: number; error: string }[];
  note: string | null;
}

/** The columns and the banks' names for them, compared by letters only, ignoring case. The payer may be missing. */
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
} as const;
type ColumnName = keyof typeof columns;
type Cells = Record<ColumnName, string>;

/** The columns as the page and the error messages name them. */
const statementColumns = "Date, Narration, UTR and Credit";

/**
 * Reads a bank statement; invalid rows become errors.
 * @throws Failure invalid for a file that can't be read as a statement
 */
export function readStatementFile(bytes: Uint8Array): ReadStatement {
  const { head, rows: records, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const has = `A bank statement has ${statementColumns}.`;
  const places = placesOf(head, columns, { shown: (name) => shown[name], has, mayLack: ["payer"] });
  if (records.length === 0) throw refusedFile("The file has a header and no rows.");
  const read: ReadStatement = { rows: [], skipped: 0, errors: [], note };
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const row = readRow(cellsOf(record, places), line);
    if (row === null) read.skipped++;
    else if (typeof row === "string") read.errors.push({ line, error: row });
    else if (firstLines.has(row.utr))
      read.errors.push({ line, error: `UTR: ${row.utr} stands in line ${firstLines.get(row.utr)} already` });
    else {
      firstLines.set(row.utr, line);
      read.rows.push(row);
    }
  }
  return read;
}

const shown: Record<ColumnName, string> = {
  day: "Date",
  narration: "Narration",
  utr: "UTR",
  credit: "Credit",
  payer: "Payer",
};

/** Returns the row, a sentence about what is wrong with it, or null if no money came in. */
function readRow(cells: Cells, line: number): StatementRow | string | null {
  const credit = cells.credit.replace(/[,₹\s]/g, "");
  if (credit === "" || /^-?0*(\.0*)?$/.test(credit)) return null;
  const amountPaise = paiseOfCell(cells.credit);
  if (amountPaise === null || amountPaise < 0) return `Credit: “${cells.credit.slice(0, 40)}” ${whyNoAmount}`;
  const fault = faultOfTransfer(amountPaise / 100);
  if (fault) return `Credit: ${fault}`;
  const receivedOn = dayOfCell(cells.day, { shortYears: true });
  if (!receivedOn) return `Date: ${whyNoDay(cells.day, { shortYears: true })}`;
  const utr = cells.utr.replace(/\s/g, "").toUpperCase();
  if (!/^[A-Z0-9/-]{6,40}$/.test(utr)) return "UTR: it has to be 6 to 40 letters and digits";
  return {
    line,
    utr,
    amountPaise,
    receivedOn,
    payer: oneLine(cells.payer, 120),
    narration: oneLine(cells.narration, 300),
  };
}

const oneLine = (text: string, max: number) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, max);
