import { Integer, Utf8String } from "asn1js";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AttributeTypeAndValue, Certificate } from "pkijs";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { readPdf } from "../../../tests/read-pdf.ts";
import { sampleInvoice } from "../../../tests/sample-invoice.ts";
import type { Documents } from "./documents.ts";
import { makeSelfSigned } from "./self-signed.ts";
import { startDocuments } from "./start-documents.ts";
import { readAttachments, readSignature } from "./verify-pdf.ts";

const folder = mkdtempSync(join(tmpdir(), "prahari-signing-"));
const now = new Date();
let documents: Documents;
afterEach(() => documents.close());
afterAll(() => rmSync(folder, { recursive: true }));

describe("A signed invoice", () => {
  it("carries a signature over all its bytes, of the kind that PAdES asks for, and names the signer", async () => {
    documents = startDocuments({ signing: { pem: await makeSelfSigned("Seller & Söhne", now) } });
    const pdf = await documents.render("invoice", sampleInvoice());
    expect(await readSignature(pdf)).toEqual({ signer: "Seller & Söhne", holds: true });
    expect(latin(pdf)).toContain("/SubFilter /ETSI.CAdES.detached");
    const { title, text } = await readPdf(pdf);
    expect(title).toBe("Tax invoice SOC/26-27/000001");
    expect(text).toContain("signed electronically by Seller & Söhne");
  });
  it("is not signed any more once a byte of it is another", async () => {
    documents = startDocuments({ signing: { pem: await makeSelfSigned("Seller", now) } });
    const pdf = await documents.render("invoice", sampleInvoice());
    for (const at of [10, 2000, pdf.length - 30]) {
      const changed = new Uint8Array(pdf);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect((await readSignature(changed))?.holds).toBe(false);
    }
  });
  it("is signed by a key of RSA too, and by one whose line ends are spelt out", async () => {
    const pem = await makeRsa();
    for (const given of [pem, pem.replaceAll("\n", "\\n")]) {
      documents = startDocuments({ signing: { pem: given } });
      expect((await readSignature(await documents.render("invoice", sampleInvoice())))?.holds).toBe(true);
      await documents.close();
    }
  });
  it("of the demo is signed by a certificate that is made once and kept", async () => {
    const selfSignedFile = join(folder, "demo.pem");
    const kept = [];
    for (const number of ["1", "2"]) {
      documents = startDocuments({ signing: { selfSignedFile, name: "Demo" } });
      const pdf = await documents.render("invoice", sampleInvoice({ number }));
      expect(await readSignature(pdf)).toEqual({ signer: "Demo", holds: true });
      kept.push(readFileSync(selfSignedFile, "utf8"));
      await documents.close();
    }
    expect(kept[0]).toContain("BEGIN CERTIFICATE");
    expect(kept[0]).toBe(kept[1]);
  });
  it("goes out without a signature once the certificate has ended, and says so", async () => {
    documents = startDocuments({ signing: { pem: await makeSelfSigned("Seller", new Date("2012-01-01")) } });
    const pdf = await documents.render("invoice", sampleInvoice());
    expect(latin(pdf)).not.toContain("/Type /Sig");
    expect((await readPdf(pdf)).text).toContain("needs no signature");
  });
  it("fails with a reason where the certificate can't be used, rather than go out unsigned", async () => {
    const selfSignedFile = join(folder, "damaged.pem");
    writeFileSync(selfSignedFile, "");
    documents = startDocuments({ signing: { selfSignedFile, name: "Demo" } });
    await expect(documents.render("invoice", sampleInvoice())).rejects.toThrow("could not be rendered");
  });
});

describe("An invoice", () => {
  it("is PDF/A-3a and holds the data that it was made from", async () => {
    documents = startDocuments();
    const pdf = latin(await documents.render("invoice", sampleInvoice()));
    expect(pdf).toContain("<pdfaid:part>3</pdfaid:part>");
    expect(pdf).toContain("<pdfaid:conformance>A</pdfaid:conformance>");
    expect(pdf).toContain("/AFRelationship /Data");
    const [data] = readAttachments(Buffer.from(pdf, "latin1")).values();
    expect(JSON.parse(String(data))).toMatchObject({ number: "SOC/26-27/000001", total: "40.00" });
  });
  it("is not signed where there is nothing to sign with, and says what it stands on", async () => {
    documents = startDocuments();
    const pdf = await documents.render("invoice", sampleInvoice());
    expect(latin(pdf)).not.toContain("/Type /Sig");
    expect((await readPdf(pdf)).text).toContain("needs no signature");
  });
  it("comes also where no font has a character of it", async () => {
    documents = startDocuments({ signing: { pem: await makeSelfSigned("Seller", now) } });
    const pdf = await documents.render("invoice", sampleInvoice({ name: "Kaveri \u{12000}" }));
    expect((await readSignature(pdf))?.holds).toBe(true);
  });
});

const latin = (pdf: Uint8Array) => Buffer.from(pdf).toString("latin1");

async function makeRsa(): Promise<string> {
  const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256", modulusLength: 2048 };
  const keys = await crypto.subtle.generateKey({ ...algorithm, publicExponent: new Uint8Array([1, 0, 1]) }, true, [
    "sign",
    "verify",
  ]);
  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ value: 7 }) });
  for (const party of [certificate.issuer, certificate.subject])
    party.typesAndValues.push(new AttributeTypeAndValue({ type: "2.5.4.3", value: new Utf8String({ value: "RSA" }) }));
  certificate.notBefore.value = now;
  certificate.notAfter.value = new Date(now.getTime() + 86_400_000);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey);
  await certificate.sign(keys.privateKey, "SHA-256");
  const pem = (label: string, der: ArrayBuffer) =>
    `-----BEGIN ${label}-----\n${Buffer.from(der).toString("base64")}\n-----END ${label}-----\n`;
  return (
    pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", keys.privateKey)) +
    pem("CERTIFICATE", certificate.toSchema().toBER())
  );
}
