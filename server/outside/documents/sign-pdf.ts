import { ObjectIdentifier, OctetString, Sequence } from "asn1js";
import { createHash, createPrivateKey, type KeyObject } from "node:crypto";
import {
  AlgorithmIdentifier,
  Attribute,
  Certificate,
  ContentInfo,
  EncapsulatedContentInfo,
  IssuerAndSerialNumber,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from "pkijs";
import { partsOfPem } from "../../settings/signing-pem.ts";
import { signedBytes, withSignature, withSignatureField } from "./signature-field.ts";

/** Signs documents in one name. */
export interface Signer {
  /** The certificate's common name. */
  name: string;
  /** Whether the certificate is valid at that time: readers show a signature made outside it as invalid. */
  isValidAt(at: Date): boolean;
  sign(pdf: Uint8Array, at: Date): Promise<Uint8Array<ArrayBuffer>>;
}

const object = {
  data: "1.2.840.113549.1.7.1",
  signedData: "1.2.840.113549.1.7.2",
  contentType: "1.2.840.113549.1.9.3",
  messageDigest: "1.2.840.113549.1.9.4",
  signingCertificate: "1.2.840.113549.1.9.16.2.47",
  sha256: "2.16.840.1.101.3.4.2.1",
  commonName: "2.5.4.3",
};

/** @param pem a private key (PKCS#8, RSA or P-256) and its certificate chain, the signer's own first */
export async function openSigner(pem: string): Promise<Signer> {
  const { key: keyPem, certificates: chain } = partsOfPem(pem);
  const key = await importKey(createPrivateKey(keyPem));
  const certificates = chain.map((each) => Certificate.fromBER(derOf(each)));
  const [own] = certificates;
  if (!own) throw new Error("There is no certificate to sign with.");
  const name = commonNameOf(own);
  return {
    name,
    isValidAt: (at) => at >= own.notBefore.value && at < own.notAfter.value,
    async sign(pdf, at) {
      const prepared = withSignatureField(pdf, { name, at });
      return withSignature(prepared, await signatureOver(signedBytes(prepared), key, own, certificates));
    },
  };
}

export const commonNameOf = ({ subject }: Certificate): string =>
  subject.typesAndValues.find(({ type }) => type === object.commonName)?.value.valueBlock.value ?? "";

/** A detached signature in DER, level B-B (ETSI EN 319 142-1, 5.3 and 6.3). */
async function signatureOver(
  bytes: Uint8Array<ArrayBuffer>,
  key: CryptoKey,
  own: Certificate,
  certificates: Certificate[],
): Promise<Uint8Array> {
  const signer = new SignerInfo({
    version: 1,
    sid: new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
    digestAlgorithm: new AlgorithmIdentifier({ algorithmId: object.sha256 }),
    signedAttrs: new SignedAndUnsignedAttributes({
      type: 0,
      attributes: [
        new Attribute({ type: object.contentType, values: [new ObjectIdentifier({ value: object.data })] }),
        new Attribute({ type: object.messageDigest, values: [digestOf(bytes)] }),
        new Attribute({
          type: object.signingCertificate,
          values: [sequence(sequence(sequence(digestOf(new Uint8Array(own.toSchema().toBER())))))],
        }),
      ],
    }),
  });
  const signed = new SignedData({
    version: 1,
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: object.data }),
    digestAlgorithms: [new AlgorithmIdentifier({ algorithmId: object.sha256 })],
    signerInfos: [signer],
    certificates,
  });
  await signed.sign(key, 0, "SHA-256", bytes);
  const message = new ContentInfo({ contentType: object.signedData, content: signed.toSchema(true) });
  return new Uint8Array(message.toSchema().toBER());
}

const sequence = (...value: (Sequence | OctetString)[]) => new Sequence({ value });
const digestOf = (bytes: Uint8Array) => new OctetString({ valueHex: createHash("sha256").update(bytes).digest() });

function importKey(key: KeyObject): Promise<CryptoKey> {
  const algorithm =
    key.asymmetricKeyType === "ec"
      ? { name: "ECDSA", namedCurve: "P-256" }
      : { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const der = new Uint8Array(key.export({ type: "pkcs8", format: "der" }));
  return crypto.subtle.importKey("pkcs8", der, algorithm, false, ["sign"]);
}

const derOf = (pem: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ""), "base64"));
