import { BitString, Integer, Utf8String } from "asn1js";
import { randomBytes } from "node:crypto";
import {
  AltName,
  AttributeTypeAndValue,
  BasicConstraints,
  Certificate,
  Extension,
  GeneralName,
  type RelativeDistinguishedNames,
} from "pkijs";

/** A server's key and certificate for a name, from a new authority that nothing else trusts. PEM. */
export async function certifiedServer(name: string): Promise<{ key: string; certificate: string; authority: string }> {
  const [ca, server] = [await makeKeys(), await makeKeys()];
  const authority = await makeCertificate("Test authority", ca.publicKey, (certificate) => {
    certificate.extensions = [
      new Extension({
        extnID: "2.5.29.19",
        critical: true,
        extnValue: new BasicConstraints({ cA: true }).toSchema().toBER(),
      }),
      new Extension({
        extnID: "2.5.29.15",
        critical: true,
        extnValue: new BitString({ valueHex: new Uint8Array([0x06]), unusedBits: 1 }).toBER(),
      }),
    ];
  });
  await authority.sign(ca.privateKey, "SHA-256");
  const certificate = await makeCertificate(name, server.publicKey, (made) => {
    made.issuer = authority.subject;
    const names = new AltName({ altNames: [new GeneralName({ type: 2, value: name })] });
    made.extensions = [new Extension({ extnID: "2.5.29.17", extnValue: names.toSchema().toBER() })];
  });
  await certificate.sign(ca.privateKey, "SHA-256");
  return {
    key: pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", server.privateKey)),
    certificate: pem("CERTIFICATE", certificate.toSchema().toBER()),
    authority: pem("CERTIFICATE", authority.toSchema().toBER()),
  };
}

const makeKeys = () => crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);

async function makeCertificate(
  name: string,
  key: CryptoKey,
  change: (made: Certificate) => void,
): Promise<Certificate> {
  const made = new Certificate({
    version: 2,
    serialNumber: new Integer({ value: randomBytes(4).readUInt32BE() >>> 1 }),
  });
  for (const party of [made.issuer, made.subject] satisfies RelativeDistinguishedNames[])
    party.typesAndValues.push(new AttributeTypeAndValue({ type: "2.5.4.3", value: new Utf8String({ value: name }) }));
  made.notBefore.value = new Date(Date.now() - 86_400_000);
  made.notAfter.value = new Date(Date.now() + 86_400_000);
  change(made);
  await made.subjectPublicKeyInfo.importKey(key);
  return made;
}

const pem = (label: string, der: ArrayBuffer) =>
  `-----BEGIN ${label}-----\n${Buffer.from(der)
    .toString("base64")
    .match(/.{1,64}/g)
    ?.join("\n")}\n-----END ${label}-----\n`;
