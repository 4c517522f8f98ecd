import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Inv01 } from "./inv-01.ts";
import { irnOf } from "./irn-of.ts";
import { nicRegistrar } from "./nic-registrar.ts";
import type { InvoiceRegistrar } from "./registrar.ts";

/** A provider that answers each call as the test wants, over real HTTP. */
let answer: { status?: number; headers?: Record<string, string>; body: unknown };
const asked: IncomingMessage[] = [];
const provider = createServer((request, response) => {
  asked.push(request);
  response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers });
  response.end(typeof answer.body === "string" ? answer.body : JSON.stringify(answer.body));
});
let registrar: InvoiceRegistrar;
beforeAll(async () => {
  await new Promise<void>((ready) => provider.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/einv`;
  registrar = nicRegistrar({ url, headers: { "x-auth-token": "secret" } }, () => "29AAGCG6253J1Z8");
});
afterAll(() => new Promise((stopped) => provider.close(stopped)));

const irn = "a5c12dca80e743321740b001fd70953e8738d109865d28ba4013750f2046f229";
const data = {
  AckNo: 112010000002315,
  AckDt: "2026-11-22 12:03:00",
  Irn: irn,
  SignedInvoice: "a.b.c",
  SignedQRCode: "d.e.f",
  Status: "ACT",
};
const registration = {
  irn,
  ackNumber: "112010000002315",
  ackAt: new Date("2026-11-22T06:33:00Z"),
  signedQr: "d.e.f",
  signedInvoice: "a.b.c",
  isCancelled: false,
};
const document = { Version: "1.1" } as Inv01;
const refusal = (code: string, text: string, InfoDtls: unknown = null) => ({
  Status: 0,
  Data: null,
  ErrorDetails: [{ ErrorCode: code, ErrorMessage: text }],
  InfoDtls,
});

describe("A registration is read", () => {
  it.each([
    ["with its data as an object", { Status: 1, Data: data, ErrorDetails: null, InfoDtls: null }],
    ["with its data as JSON in a string", { Status: "1", Data: JSON.stringify(data) }],
    ["with its data beside Success", { Success: "Y", ...data }],
  ])("%s", async (_how, body) => {
    answer = { body };
    expect(await registrar.register(document)).toEqual({ registered: registration });
    expect(await registrar.findByIrn(irn)).toEqual(registration);
  });
});

it("Credentials and GSTIN go with each call, and a document is looked for by its type, number and day", async () => {
  answer = { body: { Status: 1, Data: { ...data, Status: "CNL" } } };
  const found = await registrar.findByDocument({ type: "CRN", number: "CN/26-27/00001", day: "2026-11-22" });
  expect(found?.isCancelled).toBe(true);
  const { url, headers } = asked.at(-1) ?? {};
  expect(url).toBe("/einv/Invoice/irnbydocdetails?doctype=CRN&docnum=CN%2F26-27%2F00001&docdate=22%2F11%2F2026");
  expect(headers).toMatchObject({ "x-auth-token": "secret", gstin: "29AAGCG6253J1Z8" });
});

it("A refusal is read with its codes, also where a provider spells them its own way and answers 400", async () => {
  answer = { body: refusal("2172", "IGST on intra-state") };
  expect(await registrar.register(document)).toEqual({ refused: [{ code: "2172", text: "IGST on intra-state" }] });
  answer = {
    status: 400,
    body: {
      Success: "N",
      ErrorDetails: [{ error_code: "3029", error_message: "GSTIN is not active", error_source: "NIC" }],
    },
  };
  expect(await registrar.register(document)).toEqual({ refused: [{ code: "3029", text: "GSTIN is not active" }] });
});

it("A refusal is read where a provider says nothing as an empty text", async () => {
  answer = { body: { ...refusal("2176", "Invalid HSN code", ""), Data: "" } };
  expect(await registrar.register(document)).toMatchObject({ refused: [{ code: "2176" }] });
});

it("A duplicate answers which document the portal has, where it says so", async () => {
  const other = { InfCd: "EWBPPD", Desc: "Pin-Pin calc distance: 2467KM" };
  answer = { body: refusal("2150", "Duplicate IRN", [other, { InfCd: "DUPIRN", Desc: { Irn: irn, AckNo: 1 } }]) };
  expect(await registrar.register(document)).toEqual({ duplicateOf: irn });
  answer = { body: refusal("2150", "Duplicate IRN") };
  expect(await registrar.register(document)).toEqual({ duplicateOf: null });
});

it("A document that is not known, or not told any more, is none", async () => {
  for (const code of ["2154", "2148", "2283"]) {
    answer = { body: refusal(code, "not found") };
    // oxlint-disable-next-line no-await-in-loop -- the provider holds a single answer
    expect(await registrar.findByIrn(irn)).toBeNull();
  }
});

it("A cancellation is read, and a refusal of one", async () => {
  answer = { body: { Status: 1, Data: { Irn: irn, CancelDate: "2026-11-22 14:26:00" } } };
  expect(await registrar.cancel(irn, "3", "Not wanted")).toEqual({ cancelledAt: new Date("2026-11-22T08:56:00Z") });
  answer = { body: refusal("9999", "Invoice is not active") };
  expect(await registrar.cancel(irn, "3", "Not wanted")).toEqual({
    refused: [{ code: "9999", text: "Invoice is not active" }],
  });
});

describe("No answer is", () => {
  it.each([
    ["a status that says the provider is not well", { status: 503, body: {} }, /with 503/],
    ["credentials that are not taken", { status: 401, body: {} }, /with 401/],
    ["a portal that can't sign now", { body: refusal("2147", "Unable to sign invoice") }, /2147 Unable to sign/],
    ["an invalid token of the portal", { body: refusal("1005", "Invalid Token") }, /1005 Invalid Token/],
    ["what is no JSON", { body: "<html>" }, /JSON/],
    ["success without its number", { body: { Status: 1, Data: { AckNo: 1 } } }, /Irn/],
    ["neither success nor why not", { body: { Status: 0, ErrorDetails: [] } }, /neither success nor why not/],
    [
      "a way elsewhere, which would be told the credentials",
      { status: 302, headers: { location: "/x" }, body: {} },
      /fetch failed/,
    ],
  ])("%s", async (_what, given, message) => {
    answer = given;
    await expect(registrar.register(document)).rejects.toThrow(message);
  });
});

it("The number follows from seller, financial year, type and number as NIC publishes it", () => {
  const key = { type: "INV", number: "ABC01234", day: "2020-03-31" } as const;
  // SHA-256 of 01AAAAA9999A19N2019-20INVABC01234, NIC's example.
  expect(irnOf("01AAAAA9999A19N", key)).toBe("353c2677715ae97aa876a37262a38381a75c1d1184f6a803f703bb395971925f");
  expect(irnOf("01AAAAA9999A19N", { ...key, day: "2020-04-01" })).not.toBe(irnOf("01AAAAA9999A19N", key));
});
