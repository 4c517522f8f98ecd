import { contentLimits } from "../../contract/content-limits.ts";
import { plainCell, readCsv, refusedFile } from "../csv/read-csv.ts";
import type { SettlementKind } from "../database/schema/index.ts";

/** A row of a settlement file: money in paise, refunds as positive amounts. */
export interface SettledRow {
  line: number;
  kind: SettlementKind;
  gatewayId: string;
  gatewayPaymentId: string;
  reference: string;
  amountPaise: number;
  feePaise: number;
  taxPaise: number;
  netPaise: number;
  settledOn: string;
  utr: string;
}

export interface ReadSettlement {
  rows: SettledRow[];
  /** What is wrong in which line, the head being line 1. */
  errors: { line: number; error: string }[];
  note: string | null;
}

/**
 * The columns that a file has to have, as the fields of PayU's settlement details are called, and what else they may be
 * called; letters alone count, without case. Their order does not matter, and there may be more.
 */
const columns = {
  action: ["action", "requestedaction", "transactiontype"],
  payuId: ["payuid", "mihpayid"],
  requestId: ["requestid"],
  txnid: ["merchanttransactionid", "merchanttxnid", "txnid"],
  amount: ["transactionamount", "amount"],
  fee: ["merchantservicefee", "servicefee"],
  tax: ["merchantservicetax", "servicetax"],
  net: ["merchantnetamount", "netamount"],
  settledOn: ["settlementdate", "settlementcompleteddate"],
  utr: ["utrnumber", "utr"],
} as const;
type ColumnName = keyof typeof columns;
type Cells = Record<ColumnName, string>;

/** As the screen and the refusals name them. */
export const settlementColumns =
  "Action, PayU ID, Request ID, Merchant Transaction ID, Transaction Amount, Merchant Service Fee, Merchant Service Tax, Merchant Net Amount, Settlement Date and UTR Number";

/**
 * Reads a settlement file of the gateway. Rows that are wrong become errors.
 * @throws Failure invalid for a file that can't be read as such
 */
export function readSettlementFile(bytes: Uint8Array): ReadSettlement {
  const { head, rows: records, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const places = placesIn(head);
  if (records.length === 0) throw refusedFile("The file has a head and no rows.");
  const rows: SettledRow[] = [];
  const errors: ReadSettlement["errors"] = [];
  const firstLines = new Map<string, number>();
  for (const { record, line } of records) {
    const entries = Object.entries(places).map(([name, place]) => [name, plainCell(record[place] ?? "").trim()]);
    const read = readRow(Object.fromEntries(entries) as Cells, line);
    if (typeof read === "string") {
      errors.push({ line, error: read });
      continue;
    }
    const key = `${read.kind} ${read.gatewayId}`;
    const first = firstLines.get(key);
    if (first === undefined) rows.push(read);
    else errors.push({ line, error: `The ${key} stands in line ${first} already` });
    firstLines.set(key, first ?? line);
  }
  return { rows, errors, note };
}

function placesIn(head: string[]): Record<ColumnName, number> {
  const names = head.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ""));
  const found = Object.entries(columns).map(([name, called]): [string, number] => [
    name,
    names.findIndex((each) => (called as readonly string[]).includes(each)),
  ]);
  const missing = found.filter(([, place]) => place < 0).map(([name]) => columns[name as ColumnName][0]);
  if (missing.length > 0)
    throw refusedFile(
      `The file lacks the column${missing.length > 1 ? "s" : ""} ${missing.join(", ")}. A settlement file has ${settlementColumns}.`,
    );
  return Object.fromEntries(found) as Record<ColumnName, number>;
}

const kinds = new Map<string, SettlementKind>([
  ["capture", "payment"],
  ["captured", "payment"],
  ["sale", "payment"],
  ["refund", "refund"],
  ["cancel", "refund"],
]);
const idForm = /^[\w-]{1,40}$/;

/** Answers the row, or what is wrong with it. */
function readRow(cells: Cells, line: number): SettledRow | string {
  const kind = kinds.get(cells.action.toLowerCase());
  if (!kind) return `Action: “${cells.action.slice(0, 40)}” is neither a capture nor a refund`;
  if (!idForm.test(cells.payuId)) return "PayU ID: it has to be letters and digits";
  if (kind === "refund" && !idForm.test(cells.requestId)) return "Request ID: a refund has to have one";
  if (!/^[\w-]{0,40}$/.test(cells.txnid)) return "Merchant Transaction ID: it has to be letters and digits";
  const sums = {
    amount: paiseOf(cells.amount),
    fee: paiseOf(cells.fee),
    tax: paiseOf(cells.tax),
    net: paiseOf(cells.net),
  };
  const wrong = Object.entries(sums).find(([, paise]) => paise === null);
  if (wrong) return `The ${wrong[0]} is no amount in rupees, such as 1234.50`;
  const [amountPaise = 0, feePaise = 0, taxPaise = 0, netPaise = 0] = Object.values(sums).map((paise) => paise ?? 0);
  if (amountPaise === 0) return "The amount is zero";
  if (kind === "payment" && amountPaise - feePaise - taxPaise !== netPaise)
    return "The net amount is not the amount without fee and tax";
  const settledOn = dayOf(cells.settledOn);
  if (!settledOn) return "Settlement Date: please write it as 2026-11-30 or 30-11-2026";
  return {
    line,
    kind,
    gatewayId: kind === "payment" ? cells.payuId : cells.requestId,
    gatewayPaymentId: cells.payuId,
    reference: cells.txnid,
    amountPaise: Math.abs(amountPaise),
    feePaise,
    taxPaise,
    netPaise: kind === "refund" ? -Math.abs(netPaise) : netPaise,
    settledOn,
    utr: cells.utr.slice(0, 40),
  };
}

/** Paise of rupees with a sign, with or without commas and decimals; an empty cell is nothing. Null for anything else. */
function paiseOf(cell: string): number | null {
  const plain = cell.replace(/[,₹\s]/g, "");
  if (plain === "" || plain === "-") return 0;
  const parts = /^(-?)(\d{1,12})(?:\.(\d{1,2})0*)?$/.exec(plain);
  if (!parts) return null;
  const [, sign, whole = "0", decimals = ""] = parts;
  const paise = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  return sign && paise > 0 ? -paise : paise;
}

/** The day as ISO 8601, from that or from day, month and year; null where it is none. */
function dayOf(cell: string): string | null {
  const iso = /^(\d{4})-(\d{2})-(\d{2})/.exec(cell);
  const indian = /^(\d{2})[-/](\d{2})[-/](\d{4})/.exec(cell);
  const day = iso ? iso.slice(1, 4).join("-") : indian ? `${indian[3]}-${indian[2]}-${indian[1]}` : "";
  const parsed = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(day) ? day : null;
}
