import type { QuoteFormValues } from "./selection.ts";

/** The fields of the registration form before the password. */
export interface RegistrationFacts {
  firstName: string;
  lastName: string;
  email: string;
  organizationName: string;
  phoneNo: string;
}

const names = ["firstName", "lastName", "email", "organizationName", "phoneNo"] as const;

/** The estimate's contact details as registration fields; the name's last word becomes the last name. */
export function factsFrom(form: QuoteFormValues): RegistrationFacts {
  const words = form.userName.trim().split(/\s+/);
  const lastName = words.length > 1 ? (words.pop() ?? "") : "";
  return {
    firstName: words.join(" "),
    lastName,
    email: form.userEmail.trim(),
    organizationName: form.organizationName.trim(),
    phoneNo: form.phoneNumber,
  };
}

/** The facts that the previous page left in the history state; null if it left none. */
export function readFacts(state: unknown): RegistrationFacts | null {
  const facts: unknown = typeof state === "object" && state !== null && "facts" in state ? state.facts : null;
  if (typeof facts !== "object" || facts === null) return null;
  const known = new Map(Object.entries(facts));
  if (!names.every((name) => typeof known.get(name) === "string")) return null;
  return Object.fromEntries(names.map((name) => [name, known.get(name)])) as unknown as RegistrationFacts;
}
