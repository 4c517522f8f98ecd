import type { QuoteFormValues } from "./selection.ts";

/** What the registration form asks for before the password. */
export interface RegistrationFacts {
  firstName: string;
  lastName: string;
  email: string;
  organizationName: string;
  phoneNo: string;
}

const names = ["firstName", "lastName", "email", "organizationName", "phoneNo"] as const;

/** What somebody told with an estimate, as the registration asks for it; of the name the last word is the last name. */
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

/** The facts that a page before left in the history's state; null where it left none. */
export function readFacts(state: unknown): RegistrationFacts | null {
  const facts: unknown = typeof state === "object" && state !== null && "facts" in state ? state.facts : null;
  if (typeof facts !== "object" || facts === null) return null;
  const known = new Map(Object.entries(facts));
  if (!names.every((name) => typeof known.get(name) === "string")) return null;
  return Object.fromEntries(names.map((name) => [name, known.get(name)])) as unknown as RegistrationFacts;
}
