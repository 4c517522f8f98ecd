import { expect, it } from "vitest";
import { readStatementFile } from "./statement-file.ts";

/** What banks call their columns in the files that they offer; some have the UTR in the narration alone. */
it.each([
  [
    "HDFC",
    "Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance",
    ["30/11/26,NEFT CR,CITIN26401114659,30/11/26,,10.00,90.00", "30/11/26,POS,000000000012,30/11/26,5.00,,85.00"],
  ],
  [
    "HDFC, as text",
    "Date,Narration,Value Dat,Debit Amount,Credit Amount,Chq/Ref Number,Closing Balance",
    ["30/11/26,NEFT CR,30/11/26,0.00,10.00,CITIN26401114659,90.00", "30/11/26,POS,30/11/26,5.00,0.00,1,85.00"],
  ],
  [
    "ICICI",
    "S No.,Value Date,Transaction Date,Cheque Number,Transaction Remarks,Withdrawal Amount (INR ),Deposit Amount (INR ),Balance (INR ),UTR",
    [
      "1,30/11/2026,30/11/2026,-,NEFT CR,0.00,10.00,90.00,CITIN26401114659",
      "2,30/11/2026,30/11/2026,-,UPI,5.00,0.00,85.00,",
    ],
  ],
  [
    "SBI",
    "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance,UTR",
    [
      "30 Nov 2026,30 Nov 2026,BY TRANSFER,TRANSFER FROM 4897,,10.00,90.00,CITIN26401114659",
      "30-Nov-26,30-Nov-26,UPI,x,5.00,,85.00,",
    ],
  ],
  [
    "SBI, without a column of the UTR",
    "Txn Date,Value Date,Description,Ref No./Cheque No.,Debit,Credit,Balance",
    [
      "30 Nov 2026,30 Nov 2026,BY TRANSFER-NEFT*CITI0000001*CITIN26401114659*ACME,TRANSFER FROM 4897,,10.00,90.00",
      "30-Nov-26,30-Nov-26,UPI,x,5.00,,85.00",
    ],
  ],
  [
    "Kotak, with one column of sums",
    "Sl. No.,Date,Description,Chq / Ref number,Amount,Dr / Cr,Balance,Dr / Cr",
    ["1,30-11-2026,NEFT CR,CITIN26401114659,10.00,CR,90.00,CR", "2,30-11-2026,UPI,UPI-212345678901,5.00,DR,85.00,CR"],
  ],
  [
    "Axis",
    "Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL,UTR",
    ["30-11-2026,-,NEFT CR, ,10.00,90.00,4875,CITIN26401114659", "30-11-2026,-,UPI,5.00, ,85.00,4875,"],
  ],
])("The columns of %s are found, and what went out is left out", (_bank, head, rows) => {
  const read = readStatementFile(Buffer.from(`${[head, ...rows].join("\n")}\n`));
  expect(read).toMatchObject({ skipped: 1, errors: [] });
  expect(read.rows).toMatchObject([{ utr: "CITIN26401114659", amountPaise: 10_00, receivedOn: "2026-11-30" }]);
});

it("What a bank writes above and below the rows is no row, and money without a reference is told by its line", () => {
  const text = [
    "HDFC BANK LTD",
    "MR RAO, 1 MILL ROAD, MYSURU",
    "Account No :,50200012345678",
    "Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance",
    "********,****,****,****,****,****,****",
    "30/11/26,NEFT CR-CITI0000001-ACME,CITIN26401114659,30/11/26,,10.00,90.00",
    "30/11/26,CREDIT INTEREST CAPITALISED,000000000000000,30/11/26,,4.12,94.12",
    "30/11/26,CASH DEPOSIT,,30/11/26,,1000.00,1094.12",
    "30/11/26,UPI-ACME-acme@bank-612345678901-UPI,0000612345678901,30/11/26,,20.00,1114.12",
    "30/11/26,RENT,000000000000000,30/11/26,50.00,,1064.12",
    "STATEMENT SUMMARY :-",
    "Opening Balance,Dr Count,Cr Count,Debits,Credits,Closing Bal",
    "80.00,1,4,50.00,1034.12,1064.12",
  ].join("\n");
  const { rows, leftOut, errors } = readStatementFile(Buffer.from(text));
  expect(errors).toEqual([]);
  expect(rows.map(({ line, utr, amountPaise }) => [line, utr, amountPaise])).toEqual([
    [6, "CITIN26401114659", 10_00],
    [9, "0000612345678901", 20_00],
  ]);
  expect(leftOut).toEqual([
    { line: 7, says: "₹4.12: CREDIT INTEREST CAPITALISED" },
    { line: 8, says: "₹1,000.00: CASH DEPOSIT" },
  ]);
});

it.each([
  ["RTGS-HDFCR52026113012345678-ACME", "HDFCR52026113012345678"],
  ["NEFT/N333261234567890/ACME", "N333261234567890"],
  ["MMT/IMPS/612345678901/Rent/ACME", "612345678901"],
  ["UPI/612345678901/from 612345678902", null],
  ["TRANSFER FROM 612345678901", null],
  ["NEFT CITIN26401114659 returned as SBIN526123456789", null],
  ["INF/INFT/012345678901/ACME", null],
  // The end is what the payer typed.
  ["UPI/612345678901/P2A/ACME/N333261234567890", null],
  ["NEFT CR-CITIN26401114659-ACME-HDFCR52026113012345678", null],
])("Of “%s” the reference is %s", (narration, utr) => {
  const file = `Date,Narration,Credit\n30-11-2026,${narration},10.00\n`;
  expect(readStatementFile(Buffer.from(file)).rows.map((row) => row.utr)).toEqual(utr ? [utr] : []);
});

it.each(["100001", "0000000000100001", "00012345678901"])(
  "%s, as cheques of two customers may both have it, is no reference, and the cheque is told by its line",
  (number) => {
    const file = `Date,Narration,Chq./Ref.No.,Credit\n30-11-2026,CHQ DEP ACME,${number},10.00\n30-11-2026,IMPS/612345678901/ACME,${number},5.00\n`;
    const { rows, leftOut } = readStatementFile(Buffer.from(file));
    expect(leftOut).toEqual([{ line: 2, says: "₹10.00: CHQ DEP ACME" }]);
    expect(rows.map(({ utr }) => utr)).toEqual(["612345678901"]);
  },
);

it("What a payer typed neither reorders nor hides what an administrator compares, and still names its proforma", () => {
  const file = `Date,Narration,UTR,Credit,Payer\n30-11-2026,NEFT \u202ECR PF26\u200B27000001,CITIN26401114659,10.00,ACME\u2066\u202E DTL\n`;
  const [row] = readStatementFile(Buffer.from(file)).rows;
  expect([row?.narration, row?.payer]).toEqual(["NEFT CR PF2627000001", "ACME DTL"]);
});

it("Where one column has both ways, a row that says neither is wrong and not left out unseen", () => {
  const rows = ["Cr", "Dr", "Deposit", "Withdrawal", "Credited", ""].map(
    (side, place) => `30-11-2026,NEFT,CITIN2640111465${place},10.00,${side}`,
  );
  const text = ["Date,Narration,UTR,Amount,Dr/Cr", ...rows, "Closing Balance,,,90.00,", ""].join("\n");
  const read = readStatementFile(Buffer.from(text));
  expect(read.rows.map(({ line }) => line)).toEqual([2, 4]);
  expect(read.skipped).toBe(3);
  expect(read.errors).toEqual([
    { line: 6, error: "Dr / Cr: “Credited” says neither that money came nor that it went; please write Cr or Dr" },
    { line: 7, error: "Dr / Cr: “” says neither that money came nor that it went; please write Cr or Dr" },
  ]);
  // The column of what came decides where there is one.
  const both = "Date,Narration,UTR,Credit,Amount,Type\n30-11-2026,NEFT,CITIN26401114650,,10.00,NEFT\n";
  expect(readStatementFile(Buffer.from(both))).toMatchObject({ rows: [], skipped: 1, errors: [] });
});

it("A file without a header of a statement is told what one has", () => {
  const sentence =
    "The file lacks the columns Date, Narration, Credit. A bank statement has Date, Narration and Credit";
  expect(() => readStatementFile(Buffer.from("Name,Mail\nAsha,a@example.in\n"))).toThrow(
    expect.objectContaining({ fields: { file: expect.stringContaining(sentence) } }),
  );
});
