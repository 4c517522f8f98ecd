import { createHash } from "node:crypto";
import { isSameSecret } from "../../protection/is-same-secret.ts";

export type Fields = Record<string, string>;
export interface PayuKeys {
  key: string;
  salt: string;
}

const requestFields = ["txnid", "amount", "productinfo", "firstname", "email", "udf1", "udf2", "udf3", "udf4", "udf5"];
export const lengthLimits = { txnid: 25, productinfo: 100, firstname: 60, email: 50 };

/**
 * Adds the key and the hash to the form's fields.
 * @throws Error when a field is longer than PayU takes or contains the separator
 */
export function signRequest({ key, salt }: PayuKeys, fields: Fields): Fields {
  const limits: Record<string, number> = lengthLimits;
  for (const [name, value] of Object.entries(fields)) {
    if (value.includes("|")) throw new Error(`PayU's field ${name} may not hold "|"`);
    if (value.length > (limits[name] ?? 255)) throw new Error(`PayU's field ${name} is too long`);
  }
  const values = requestFields.map((name) => fields[name] ?? "");
  return { ...fields, key, hash: sha512([key, ...values, "", "", "", "", "", salt].join("|")) };
}

/** Whether the browser's return or a webhook was signed with our salt. */
export function isAuthentic({ key, salt }: PayuKeys, answer: Fields): boolean {
  return answer["key"] === key && sameHash(answer["hash"] ?? "", reverseHash(salt, answer));
}

/** The hash with which PayU signs an answer. Its documentation uses both spellings of the charges field. */
export function reverseHash(salt: string, answer: Fields): string {
  const charges = answer["additional_charges"] || answer["additionalCharges"];
  const values = requestFields.toReversed().map((name) => answer[name] ?? "");
  const signed = [salt, answer["status"] ?? "", "", "", "", "", "", ...values, answer["key"] ?? ""].join("|");
  return sha512(charges ? `${charges}|${signed}` : signed);
}

/** The hash that signs a command. */
export function commandHash({ key, salt }: PayuKeys, name: string, var1: string): string {
  return sha512([key, name, var1, salt].join("|"));
}

export const sameHash = (given: string, expected: string): boolean => isSameSecret(given.toLowerCase(), expected);

const sha512 = (text: string) => createHash("sha512").update(text).digest("hex");
