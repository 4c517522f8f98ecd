import { eq } from "drizzle-orm";
import { writtenDay } from "../contract/india-time.ts";
import type { Sent } from "../contract/operations.ts";
import { billingOf, giveBilling } from "./billing.ts";
import { buyer } from "./buyer.ts";
import { taxDeductions } from "../server/database/schema/index.ts";
import type { TestServer } from "./harness.ts";

export const bankOfTests = {
  accountName: "Prahari Tests",
  accountNumber: "123456789012",
  ifsc: "TEST0000001",
  bankName: "Bank of Tests",
};

/** A customer in Kerala with billing details and a quote, who pays by transfer. */
export async function transferBuyer(server: TestServer) {
  const made = await buyer(server);
  const { legalName, address, pinCode, stateCode, gstin } = billingOf.kerala;
  const given = {
    billingKind: "registered",
    legalName,
    billingAddress: address,
    pinCode,
    billingState: stateCode,
    gstin,
  };
  await giveBilling(server, made.person.email, { ...given, billingKind: "registered" });
  const choose = (over: Partial<Sent<"user/orders/transfer">> = {}) =>
    server.call("user/orders/transfer", { ...made.request, way: "transfer", ...over }, made.person.token);
  return { ...made, choose };
}

/** A claim of deducted tax with the certificate that an administrator sees at present. */
export async function seenCertificate({ services: { database } }: TestServer, id: string) {
  const [claim] = await database
    .select({ file: taxDeductions.file })
    .from(taxDeductions)
    .where(eq(taxDeductions.id, id));
  return { id, pdf_url: claim?.file ?? "" };
}

/** Counts the bank references handed out, to make each different. */
let references = 0;
export const newUtr = () => `TESTN${String(++references).padStart(10, "0")}`;

/** Today in India: the default day of receipt. */
export const today = ({ services }: TestServer) => writtenDay(services.now());

/** A bank statement with these rows, in base64. */
export function bankStatement(
  rows: readonly { utr: string; credit: string; narration?: string; day?: string }[],
): string {
  const lines = rows.map(
    ({ utr, credit, narration = "NEFT", day = writtenDay(new Date()) }) => `${day},${narration},${utr},${credit}`,
  );
  return Buffer.from(`Date,Narration,UTR,Credit\n${lines.join("\n")}\n`).toString("base64");
}
