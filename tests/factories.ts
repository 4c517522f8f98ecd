import type { NewAnnouncement } from "../contract/announcements.ts";
import { randomUUID } from "node:crypto";
import type { TestServer } from "./harness.ts";

export const password = "correct horse battery 42";

/** A person's input in the registration form; every e-mail is new. */
export function registration(over: Partial<Record<string, string>> = {}) {
  return {
    firstName: "Asha",
    lastName: "Rao",
    email: `asha-${randomUUID().slice(0, 7)}@example.in`,
    organizationName: "Kaveri Textiles",
    phoneNo: "+919876543210",
    password,
    confirmPassword: password,
    ...over,
  };
}

export function quoteRequest(over: Record<string, unknown> = {}) {
  return {
    userName: "Asha Rao",
    userEmail: `asha-${randomUUID().slice(0, 7)}@example.in`,
    organizationName: "Kaveri Textiles",
    phoneNumber: "+919876543210",
    numberOfUsers: 120,
    message: "Two plants and a head office.",
    selectedDevices: [
      { service: "Server", deviceType: "Prod Server", number: 10 },
      { service: "Network & Security Solutions", deviceType: "Firewall", number: 2 },
    ],
    ...over,
  };
}

/** A partner's estimate for its customer; every call makes a new request. */
export function customerEstimate() {
  const { numberOfUsers, message, selectedDevices } = quoteRequest();
  return { numberOfUsers, message, selectedDevices, requestKey: randomUUID() };
}

type Reached = Pick<TestServer, "call" | "mailbox">;

/** Signs in by password and by the code mailed over SMTP. Answers the session token. */
export async function signIn(server: Reached, email: string, secret = password): Promise<string> {
  await server.call("auth/login", { email, password: secret });
  const mail = await server.mailbox.take(email, /sign-in code/i);
  const otp = /\b\d{6}\b/.exec(mail.text ?? "")?.[0] ?? "";
  const { body } = await server.call("auth/verify-otp", { email, otp });
  return body.token;
}

/** A registered and signed-in customer. */
export async function customer(server: Reached, over: Partial<Record<string, string>> = {}) {
  const person = registration(over);
  await server.call("auth/register", person);
  return { ...person, token: await signIn(server, person.email) };
}

/** An announcement for everybody, shown for the next two hours. */
export const announcement = (over: Partial<NewAnnouncement> = {}): NewAnnouncement => ({
  title: "Planned maintenance",
  text: "The dashboards rest on Sunday from 02:00 to 04:00 (India time).",
  audience: "all",
  roles: [],
  emails: [],
  shown_from: new Date().toISOString(),
  shown_until: new Date(Date.now() + 7_200_000).toISOString(),
  mailed: false,
  ...over,
});
