import { BitString, Integer, Utf8String } from "asn1js";
import { randomBytes } from "node:crypto";
import { AttributeTypeAndValue, Certificate, Extension } from "pkijs";

/**
 * Creates a key and a self-signed certificate, so that the demo's documents are signed like real ones. Valid for ten
 * years. PEM.
 */
export async function makeSelfSigned(name: string, now: Date): Promise<string> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, [
    "sign",
    "verify",
  ]);
  const certificate = new Certificate({ version: 2, serialNumber: new Integer({ valueHex: serialNumber() }) });
  for (const party of [certificate.issuer, certificate.subject])
    party.typesAndValues.push(new AttributeTypeAndValue({ type: "2.5.4.3", value: new Utf8String({ value: name }) }));
  // Clocks differ, and the signing may use a time from a moment ago.
  certificate.notBefore.value = new Date(now.getTime() - 86_400_000);
  certificate.notAfter.value = new Date(Date.UTC(now.getUTCFullYear() + 10, 0, 1));
  // Key usage: digital signature and content commitment.
  const usage = new BitString({ valueHex: new Uint8Array([0xc0]), unusedBits: 6 });
  certificate.extensions = [new Extension({ extnID: "2.5.29.15", critical: true, extnValue: usage.toBER() })];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, "SHA-256");
  const key = await crypto.subtle.exportKey("pkcs8", privateKey);
  return pemOf("PRIVATE KEY", key) + pemOf("CERTIFICATE", certificate.toSchema().toBER());
}

/** Positive and unpredictable (CA/Browser Forum, 7.1). */
function serialNumber(): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(randomBytes(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function pemOf(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
