import { Login } from "../../contract/accounts.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { fieldErrors } from "../forms/form-errors.ts";
import type { Credentials } from "./credentials-form.tsx";

const check = fieldErrors(Login);

/** Asks for a code. Answers the first message of each field, or what the server said; nothing where it mailed one. */
export async function sendCredentials(
  credentials: Credentials,
): Promise<{ faults?: Partial<Credentials>; failure?: string }> {
  const faults = check(credentials);
  if (Object.keys(faults).length > 0) return { faults };
  try {
    await call("auth/login", credentials);
    return {};
  } catch (error) {
    return { failure: loginFailure(error) };
  }
}

/** The server's sentence, or that the credentials are wrong; what did not reach it, or broke it, is told as such. */
export function loginFailure(error: unknown): string {
  if (!hasRefused(error)) return messages.loginError(error instanceof Error ? error.message : "");
  return error.code === "unexplained" ? messages.invalidCredentials : error.message;
}

/** The server has looked at it and said no, with or without a reason. */
export function hasRefused(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === 0) return false;
  return error.code !== "unexplained" || error.status < 500;
}
