import { contentLimits } from "../../contract/content-limits.ts";
import { cellsOf, dayOfCell, paiseOfCell, placesOf, whyNoAmount, whyNoDay } from "../csv/cells.ts";
import { readCsv, refusedFile } from "../csv/read-csv.ts";
import type { SettlementKind } from "../database/schema/index.ts";

/** A row of a settlement file: money in paise, refunds and others as positive amounts. */
export interface SettledRow {
  line: number;
  kind: SettlementKind;
  /** The gateway's own word for it. */
  action: string;
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
  /** Errors by line; the header is line 1. */
  errors: { line: number; error: string }[];
  note: string | null;
}

/**
 * The required columns, named after the fields of PayU's settlement details, with alternative names; compared by
 * letters only and ignoring case. Columns may be in any order, and there may be more.
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

/** The columns as the page and the error messages name them. */
const shown: Record<ColumnName, string> = {
  action: "Action",
  payuId: "PayU ID",
  requestId: "Request ID",
  txnid: "Merchant Transaction ID",
  amount: "Transaction Amount",
  fee: "Merchant Service Fee",
  tax: "Merchant Service Tax",
  net: "Merchant Net Amount",
  settledOn: "Settlement Date",
  utr: "UTR Number",
};
const settlementColumns = new Intl.ListFormat("en-GB").format(Object.values(shown));

/**
 * Reads a settlement file of the gateway. Invalid rows and rows dated in the future become errors.
 * @throws Failure invalid for a file that can't be read as a settlement file
 */
export function readSettlementFile(bytes: Uint8Array, today: string): ReadSettlement {
  const { head, rows: records, note } = readCsv(bytes, contentLimits.csvRowsMax);
  const has = `A settlement file has ${settlementColumns}.`;
  const places = placesOf(head, columns, { shown: (name) => shown[name], has });
  if (records.length === 0) throw refusedFile("The file has a header and no rows.");
  const rows: SettledRow[] = [];
  const errors: ReadSettlement["errors"] = [];
  const linesOf = new Map<string, number[]>();
  for (const { record, line } of records) {
    const cells = cellsOf(record, places);
    const read = readRow(cells, line, today);
    if (typeof read === "string") {
      errors.push({ line, error: read });
      continue;
    }
    const key = `${read.kind} ${read.gatewayId}`;
    const same = linesOf.get(key) ?? [];
    linesOf.set(key, [...same, line]);
    const [first] = same;
    if (first === undefined) rows.push(read);
    // Identical fee rows without any id count as separate fees.
    else if (!cells.payuId && !cells.requestId)
      rows.push({ ...read, gatewayId: `${read.gatewayId}:${same.length + 1}` });
    else errors.push({ line, error: `The ${key} stands in line ${first} already` });
  }
  return { rows, errors, note };
}

const kinds = new Map<string, SettlementKind>([
  ["capture", "payment"],
  ["captured", "payment"],
  ["sale", "payment"],
  ["refund", "refund"],
  ["cancel", "refund"],
]);
const idForm = /^[\w-]{1,40}$/;
const optionalId = /^[\w-]{0,40}$/;

/** Returns the row, or a sentence about what is wrong with it. */
function readRow(cells: Cells, line: number, today: string): SettledRow | string {
  const kind = kinds.get(cells.action.toLowerCase()) ?? "other";
  const action = cells.action.slice(0, 40);
  if (!action) return "The action is missing";
  if (!(kind === "other" ? optionalId : idForm).test(cells.payuId)) return "PayU ID: it has to be letters and digits";
  if (kind === "refund" && !idForm.test(cells.requestId)) return "Request ID: a refund has to have one";
  if (kind === "other" && !optionalId.test(cells.requestId)) return "Request ID: it has to be letters and digits";
  if (!optionalId.test(cells.txnid)) return "Merchant Transaction ID: it has to be letters and digits";
  const sums = {
    amount: paiseOfCell(cells.amount),
    fee: paiseOfCell(cells.fee),
    tax: paiseOfCell(cells.tax),
    net: paiseOfCell(cells.net),
  };
  const wrong = Object.entries(sums).find(([, paise]) => paise === null);
  if (wrong) return `The ${wrong[0]} ${whyNoAmount}`;
  const [amountPaise = 0, feePaise = 0, taxPaise = 0, netPaise = 0] = Object.values(sums).map((paise) => paise ?? 0);
  if (amountPaise === 0 && kind !== "other") return "The amount is zero";
  if (kind === "payment" && amountPaise - feePaise - taxPaise !== netPaise)
    return "The net amount is not the amount without fee and tax";
  const settledOn = dayOfCell(cells.settledOn);
  if (!settledOn) return `Settlement Date: ${whyNoDay(cells.settledOn)}`;
  if (settledOn > today) return "Settlement Date: this day is to come";
  return {
    line,
    kind,
    action,
    gatewayId:
      kind === "payment" ? cells.payuId : kind === "refund" ? cells.requestId : nameOf(cells, netPaise, settledOn),
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

/** Rows without a unique id, such as a chargeback and its reversal, are the same row if sum and day agree. */
const nameOf = ({ action, payuId, requestId }: Cells, netPaise: number, settledOn: string) =>
  [action.toLowerCase().slice(0, 40), payuId, requestId, settledOn, netPaise].join(":");
