import { z } from "zod";
import type { Inv01 } from "../outside/e-invoices/inv-01.ts";
import type { Registration } from "../outside/e-invoices/registrar.ts";

/** The claims of the signed QR code that are compared. */
const Said = z.object({
  SellerGstin: z.string(),
  BuyerGstin: z.string(),
  DocNo: z.string(),
  TotInvVal: z.coerce.number(),
});

/**
 * Differences between the portal's registration and our document; empty where they match. The signature is not checked:
 * HTTPS authenticates the portal, and readers of the printed code check it with the portal's key.
 */
export function differencesOf({ irn, signedQr }: Registration, inv01: Inv01, expectedIrn: string): string[] {
  if (irn !== expectedIrn)
    return [`The portal answered with the IRN ${irn}, which is not that of this document (${expectedIrn}).`];
  const said = readSigned(signedQr);
  if (!said) return ["The portal's QR code is no signed text that can be read."];
  const { SellerDtls, BuyerDtls, DocDtls, ValDtls } = inv01;
  const pairs: [what: string, theirs: string | number, ours: string | number][] = [
    ["seller", said.SellerGstin, SellerDtls.Gstin],
    ["buyer", said.BuyerGstin, BuyerDtls.Gstin],
    ["number", said.DocNo, DocDtls.No],
    ["total", said.TotInvVal, ValDtls.TotInvVal],
  ];
  return pairs
    .filter(([, theirs, ours]) => theirs !== ours)
    .map(
      ([what, theirs, ours]) =>
        `The portal has another document under this number: its ${what} is ${theirs}, not ${ours}.`,
    );
}

/** The payload of a JWT whose claim `data` is JSON in a string. */
function readSigned(jwt: string): z.infer<typeof Said> | null {
  try {
    const claims = JSON.parse(Buffer.from(jwt.split(".")[1] ?? "", "base64url").toString()) as { data?: unknown };
    return Said.parse(typeof claims.data === "string" ? JSON.parse(claims.data) : claims.data);
  } catch {
    return null;
  }
}
