import { expect, it } from "vitest";
import { readStatementFile } from "./statement-file.ts";

/** What banks call their columns in the files that they offer; those without a UTR of their own have one added. */
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
    "Axis",
    "Tran Date,CHQNO,PARTICULARS,DR,CR,BAL,SOL,UTR",
    ["30-11-2026,-,NEFT CR, ,10.00,90.00,4875,CITIN26401114659", "30-11-2026,-,UPI,5.00, ,85.00,4875,"],
  ],
])("The columns of %s are found, and what went out is left out", (_bank, head, rows) => {
  const read = readStatementFile(Buffer.from(`${[head, ...rows].join("\n")}\n`));
  expect(read).toMatchObject({ skipped: 1, errors: [] });
  expect(read.rows).toMatchObject([{ utr: "CITIN26401114659", amountPaise: 10_00, receivedOn: "2026-11-30" }]);
});
