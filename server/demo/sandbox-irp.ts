import type { Context, Hono } from "hono";
import { and, eq, isNull } from "drizzle-orm";
import { createHash, randomInt } from "node:crypto";
import { generateKeyPair, SignJWT } from "jose";
import { inMilliseconds } from "../../contract/durations.ts";
import { indiaCalendar } from "../../contract/india-time.ts";
import { sandboxEInvoices } from "../database/schema/index.ts";
import { readText } from "../http/request-body.ts";
import type { Services } from "../services.ts";
import { findFaults, type SandboxDocument } from "./inv-01-faults.ts";
import { sandboxIrpPath, sandboxIrpToken } from "./sandbox-irp-registrar.ts";

/*
 * Our own stand-in for the government's invoice registration portal, for trying out and for tests. It speaks NIC's
 * e-invoice API 1.03 as providers pass it on, checks documents against the published schema and rules, and knows the
 * product by HTTP only. What it registers is registered nowhere else.
 */

type Row = typeof sandboxEInvoices.$inferSelect;

export function mountSandboxIrp(server: Hono, services: Services): void {
  const at = (path: string) => `${sandboxIrpPath}${path}`;
  const answering = (answer: (context: Context) => Promise<object>) => async (context: Context) => {
    if (context.req.header("x-sandbox-token") !== sandboxIrpToken(services.env))
      return context.json({ status: "unauthorised" }, 401);
    return context.json(await answer(context));
  };
  server.post(
    at("/Invoice"),
    answering(async (context) => register(services, await readText(context), context.req.header("gstin") ?? "")),
  );
  server.post(
    at("/Invoice/Cancel"),
    answering(async (context) => cancel(services, await readText(context))),
  );
  server.get(
    at("/Invoice/irnbydocdetails"),
    answering(async (context) => {
      const { doctype = "", docnum = "", docdate = "" } = context.req.query();
      return show(await findRow(services, irnOf(context.req.header("gstin") ?? "", doctype, docnum, docdate)), "2154");
    }),
  );
  server.get(
    at("/Invoice/irn/:irn"),
    answering(async (context) => show(await findRow(services, context.req.param("irn") ?? ""), "2148")),
  );
}

const refusal = (...errors: (readonly [code: string, text: string])[]) => ({
  Status: 0,
  Data: null,
  ErrorDetails: errors.map(([ErrorCode, ErrorMessage]) => ({ ErrorCode, ErrorMessage })),
  InfoDtls: null,
});

async function register(services: Services, body: string, gstin: string): Promise<object> {
  const document = parse(body);
  const faults = findFaults(document, services.now());
  if (!document || faults.length > 0) return refusal(...faults.map(({ code, text }) => [code, text] as const));
  const { DocDtls, SellerDtls } = document;
  if (SellerDtls.Gstin !== gstin) return refusal(["2143", "Invoice does not belong to the user's GSTIN"]);
  const irn = irnOf(SellerDtls.Gstin, DocDtls.Typ, DocDtls.No, DocDtls.Dt);
  const ackAt = new Date(Math.floor(services.now().getTime() / 1000) * 1000);
  const ackNumber = String(randomInt(10 ** 14, 2 * 10 ** 14));
  const [made] = await services.database
    .insert(sandboxEInvoices)
    .values({ irn, ackNumber, ackAt, ...(await signed(document, irn, ackAt)) })
    .onConflictDoNothing()
    .returning();
  if (made) return show(made, "");
  const known = await findRow(services, irn);
  return {
    ...refusal(["2150", "Duplicate IRN"]),
    InfoDtls: [
      { InfCd: "DUPIRN", Desc: known && { Irn: irn, AckNo: known.ackNumber, AckDt: portalTime(known.ackAt) } },
    ],
  };
}

async function cancel({ database, now }: Services, body: string): Promise<object> {
  const { Irn = "", CnlRsn = "", CnlRem = "" } = (parse(body) ?? {}) as Record<string, string>;
  const [row] = await database.select().from(sandboxEInvoices).where(eq(sandboxEInvoices.irn, Irn));
  if (!/^[1-4]$/.test(CnlRsn) || CnlRem.length < 1 || CnlRem.length > 100)
    return refusal(["2141", "The reason or the remark of the cancellation is not right"]);
  if (!row) return refusal(["2148", "Requested IRN data is not available"]);
  if (row.cancelledAt) return refusal(["9999", "Invoice is not active"]);
  if (now().getTime() - row.ackAt.getTime() > inMilliseconds({ hours: 24 }))
    return refusal(["2270", "The allowed cancellation time limit is crossed, you cannot cancel the IRN"]);
  await database
    .update(sandboxEInvoices)
    .set({ cancelledAt: now() })
    .where(and(eq(sandboxEInvoices.irn, Irn), isNull(sandboxEInvoices.cancelledAt)));
  return { Status: 1, Data: { Irn, CancelDate: portalTime(now()) }, ErrorDetails: null, InfoDtls: null };
}

async function findRow({ database }: Services, irn: string): Promise<Row | undefined> {
  const [row] = await database.select().from(sandboxEInvoices).where(eq(sandboxEInvoices.irn, irn));
  return row;
}

function show(row: Row | undefined, codeOfNone: string): object {
  if (!row) return refusal([codeOfNone, "IRN details are not found"]);
  const Data = {
    AckNo: Number(row.ackNumber),
    AckDt: portalTime(row.ackAt),
    Irn: row.irn,
    SignedInvoice: row.signedInvoice,
    SignedQRCode: row.signedQr,
    Status: row.cancelledAt ? "CNL" : "ACT",
  };
  // As in NIC's own answer after decryption: JSON in a string.
  return { Status: 1, Data: JSON.stringify(Data), ErrorDetails: null, InfoDtls: null };
}

/** SHA-256 of GSTIN, financial year, type and number; `day` as in 22/11/2026. */
function irnOf(gstin: string, type: string, number: string, day: string): string {
  const [, month = 0, year = 0] = day.split("/").map(Number);
  const first = month > 3 ? year : year - 1;
  return createHash("sha256")
    .update(gstin + `${first}-${String(first + 1).slice(2)}` + type + number)
    .digest("hex");
}

const portalTime = (instant: Date) => indiaCalendar(instant).toISOString().slice(0, 19).replace("T", " ");

let key: ReturnType<typeof generateKeyPair> | undefined;

/** Signs invoice and QR code as the portal does, with a key that nobody knows, made at the first use. */
async function signed(document: SandboxDocument, Irn: string, ackAt: Date) {
  const { SellerDtls, BuyerDtls, DocDtls, ValDtls, ItemList } = document;
  const { privateKey } = await (key ??= generateKeyPair("RS256"));
  const sign = (data: object) =>
    new SignJWT({ data: JSON.stringify(data) })
      .setProtectedHeader({ alg: "RS256", kid: "SANDBOX", typ: "JWT" })
      .setIssuer("Sandbox, not an IRP")
      .sign(privateKey);
  const qr = {
    SellerGstin: SellerDtls.Gstin,
    BuyerGstin: BuyerDtls.Gstin,
    DocNo: DocDtls.No,
    DocTyp: DocDtls.Typ,
    DocDt: DocDtls.Dt,
    TotInvVal: ValDtls.TotInvVal,
    ItemCnt: ItemList.length,
    MainHsnCode: ItemList[0]?.HsnCd,
    Irn,
    IrnDt: portalTime(ackAt),
  };
  return { signedQr: await sign(qr), signedInvoice: await sign({ ...document, Irn }) };
}

function parse(body: string): SandboxDocument | null {
  try {
    return JSON.parse(body) as SandboxDocument;
  } catch {
    return null;
  }
}
