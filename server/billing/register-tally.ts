import { states } from "../../contract/gstin.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { type Entry, type RegisterWriter, taxIn, writeLines } from "./register-entry.ts";

/** Ledger names: the operator's books need ledgers of these names, or the names are replaced before the import. */
const ledgers = {
  sales: "Security operations centre subscriptions",
  IGST: "IGST",
  CGST: "CGST",
  SGST: "SGST/UTGST",
  roundOff: "Round off",
};

const head = `<?xml version="1.0" encoding="UTF-8"?>
<ENVELOPE>
  <HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER>
  <BODY><IMPORTDATA>
    <REQUESTDESC><REPORTNAME>Vouchers</REPORTNAME></REQUESTDESC>
    <REQUESTDATA>
`;
const tail = `    </REQUESTDATA>
  </IMPORTDATA></BODY>
</ENVELOPE>
`;

/**
 * Vouchers for import into Tally (Gateway of Tally, Import, Transactions): a Sales voucher per invoice, a Credit Note
 * voucher per credit note. A party's ledger has its legal name. Debits are negative, as in Tally.
 */
export const writeTally = (): RegisterWriter =>
  writeLines(
    head,
    (entries) =>
      entries
        .filter(({ isCancelled }) => !isCancelled)
        .map(voucherOf)
        .join(""),
    tail,
  );

function voucherOf(entry: Entry): string {
  const isInvoice = entry.kind === "invoice";
  const type = isInvoice ? "Sales" : "Credit Note";
  const party = entry.billTo.organizationName;
  // An invoice debits its party and credits sales and taxes; a credit note does the opposite.
  const sign = isInvoice ? 1 : -1;
  const lines: [ledger: string, paise: number][] = [
    [party, -entry.totalPaise],
    [ledgers.sales, entry.taxablePaise],
    [ledgers.IGST, taxIn(entry, "IGST")],
    [ledgers.CGST, taxIn(entry, "CGST")],
    [ledgers.SGST, taxIn(entry, "SGST", "UTGST")],
    [ledgers.roundOff, entry.roundOffPaise],
  ];
  return `      <TALLYMESSAGE><VOUCHER VCHTYPE="${type}" ACTION="Create">
${[
  element("DATE", writtenDay(entry.issuedAt).replaceAll("-", "")),
  element("VOUCHERTYPENAME", type),
  element("VOUCHERNUMBER", entry.number),
  element("REFERENCE", entry.invoiceNumber ?? entry.number),
  element("PARTYLEDGERNAME", party),
  element("PARTYGSTIN", entry.billTo.gstin ?? ""),
  element("PLACEOFSUPPLY", states[entry.placeOfSupply] ?? ""),
  element("NARRATION", [entry.orderNumber, ...entry.paymentIds, entry.reason].filter(Boolean).join(", ")),
]
  .map((line) => `        ${line}\n`)
  .join("")}${lines
    .filter(([, paise], index) => index < 2 || paise !== 0)
    .map(([ledger, paise]) => `        ${ledgerEntry(ledger, sign * paise)}\n`)
    .join("")}      </VOUCHER></TALLYMESSAGE>
`;
}

const ledgerEntry = (ledger: string, paise: number) =>
  `<ALLLEDGERENTRIES.LIST>${element("LEDGERNAME", ledger)}${element("ISDEEMEDPOSITIVE", paise < 0 ? "Yes" : "No")}${element("AMOUNT", (paise / 100).toFixed(2))}</ALLLEDGERENTRIES.LIST>`;

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`;

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
