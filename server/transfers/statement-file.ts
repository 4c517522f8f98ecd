import { contentLimits } from "../../contract/content-limits.ts";
import { plainCell, readCsv, refusedFile } from "../csv/read-csv.ts";

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
  /** Rows with money that went out, or without any. */
  skipped: number;
  /** What is wrong in which line, the head being line 1. */
  errors: { line: number; error: string }[];
  note: string | null;
}

/** The columns, and what banks call them; letters alone count, without case. The payer may be missing. */
const columns = {
  day: ["date", "transactiondate", "txndate", "valuedate", "postdate"],
  narration: ["narration", "description", "particulars", "remarks", "transactionremarks"],
  utr: ["utr", "utrnumber", "referencenumber", "refno", "chqrefno", "chequerefno", "reference", "transactionid"],
  credit: ["credit", "creditamount", "depositamount", "deposit", "depositamt", "creditinr"],
  payer: ["payer", "payername", "remitter", "remittername", "sender"],
} as const;
type ColumnName = keyof typeof columns;

/** As the screen and the refusals name them. */
export const statementColumns = "Date, Narration, UTR and Credit";

/**
 * Reads a bank statement. Rows that are wrong become errors.
 * @throws Failure invalid for a file that can't be read as such
 */
export function readStatementFile(bytes: Uint8Array): ReadStatement {
  const { head, rows: records, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const places = placesIn(head);
  if (records.length === 0) throw refusedFile("The file has a head and no rows.");
  const read: ReadStatement = { rows: [], skipped: 0, errors: [], note };
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const cell = (name: ColumnName) => plainCell(record[places[name]] ?? "").trim();
    const row = readRow(cell, line);
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

function placesIn(head: readonly string[]): Record<ColumnName, number> {
  const names = head.map((cell) =>
    plainCell(cell)
      .toLowerCase()
      .replace(/[^a-z]/g, ""),
  );
  const found = Object.entries(columns).map(([name, called]) => [
    name,
    names.findIndex((each) => (called as readonly string[]).includes(each)),
  ]);
  const missing = found.filter(([name, place]) => name !== "payer" && Number(place) < 0);
  if (missing.length > 0)
    throw refusedFile(
      `The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.map(([name]) => shown[name as ColumnName]).join(", ")}. A bank statement has ${statementColumns}.`,
    );
  return Object.fromEntries(found) as Record<ColumnName, number>;
}

const shown: Record<ColumnName, string> = {
  day: "Date",
  narration: "Narration",
  utr: "UTR",
  credit: "Credit",
  payer: "Payer",
};

/** Answers the row, what is wrong with it, or null where no money came in. */
function readRow(cell: (name: ColumnName) => string, line: number): StatementRow | string | null {
  const credit = cell("credit").replace(/[,₹\s]/g, "");
  if (credit === "" || /^-?0*(\.0*)?$/.test(credit)) return null;
  const parts = /^(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(credit);
  if (!parts) return `Credit: “${cell("credit").slice(0, 40)}” is no amount in rupees, such as 1234.50`;
  const receivedOn = dayOf(cell("day"));
  if (!receivedOn) return "Date: please write it as 2026-11-30 or 30-11-2026";
  const utr = cell("utr").replace(/\s/g, "").toUpperCase();
  if (!/^[A-Z0-9/-]{6,40}$/.test(utr)) return "UTR: it has to be 6 to 40 letters and digits";
  return {
    line,
    utr,
    amountPaise: Number(parts[1]) * 100 + Number((parts[2] ?? "").padEnd(2, "0")),
    receivedOn,
    payer: oneLine(cell("payer"), 120),
    narration: oneLine(cell("narration"), 300),
  };
}

const oneLine = (text: string, max: number) =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
    .trim()
    .slice(0, max);

/** The day as ISO 8601, from that or from day, month and year; null where it is none. */
function dayOf(cell: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell);
  const indian = /^(\d{2})[-/](\d{2})[-/](\d{4}|\d{2})(?!\d)/.exec(cell);
  const year = indian?.[3]?.length === 2 ? `20${indian[3]}` : indian?.[3];
  const day = iso ? iso.slice(1, 4).join("-") : indian ? `${year}-${indian[2]}-${indian[1]}` : "";
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day) ? day : null;
}
