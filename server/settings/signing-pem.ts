import { createPrivateKey, X509Certificate } from "node:crypto";

/** A private key and the certificates for it, the signer's own first, each as PEM. */
export interface PemParts {
  key: string;
  certificates: string[];
}

/** Splits a text into its PEM blocks. Line ends may be written as `\n`, as in a one-line value. */
export function partsOfPem(pem: string): PemParts {
  const blocks = pem.replaceAll("\\n", "\n").match(/-----BEGIN ([A-Z ]+)-----[^-]+-----END \1-----/g) ?? [];
  return {
    key: blocks.find((block) => /PRIVATE KEY-----/.test(block)) ?? "",
    certificates: blocks.filter((block) => block.startsWith("-----BEGIN CERTIFICATE-----")),
  };
}

/** What prevents signing documents with it, to follow the variable's name; null if nothing does. */
export function findFaultOfSigning(pem: string): string | null {
  const { key: keyPem, certificates } = partsOfPem(pem);
  const [first] = certificates;
  if (!keyPem || !first)
    return "must hold a private key and the certificates for it as PEM, one after the other ('openssl pkcs12 -in FILE -nodes' gives both)";
  if (/ENCRYPTED/.test(keyPem)) return "holds a key with a password; 'openssl pkcs12 -in FILE -nodes' takes it off";
  try {
    const key = createPrivateKey(keyPem);
    const curve = key.asymmetricKeyDetails?.namedCurve;
    if (key.asymmetricKeyType !== "rsa" && curve !== "prime256v1")
      return "must hold a key of the kind RSA or P-256; PDF readers don't take others everywhere";
    const isItsKey = new X509Certificate(first).checkPrivateKey(key);
    return isItsKey ? null : "holds a certificate of another key; the signer's own comes first";
  } catch {
    return "can't be read as PEM; copy it again with all its lines";
  }
}

/** The certificate's subject, and when it ends. */
export function describeSigning(pem: string): { subject: string; ends: Date } {
  const certificate = new X509Certificate(partsOfPem(pem).certificates[0] ?? "");
  return { subject: certificate.subject.split("\n").join(", "), ends: new Date(certificate.validTo) };
}
