import { Login } from "../../contract/accounts.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError, call } from "../api.ts";
import { fieldErrors } from "../forms/form-errors.ts";
import type { Credentials } from "./credentials-form.tsx";

const check = fieldErrors(Login);

/** Requests a code. Gives the first message of each field, or the server's refusal; neither if a code was mailed. */
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

/** Why a login failed: the server's sentence, or wrong credentials; a lost connection or a server error says so. */
export function loginFailure(error: unknown): string {
  if (!hasRefused(error)) return messages.loginError(error instanceof Error ? error.message : "");
  return error.code === "unexplained" ? messages.invalidCredentials : error.message;
}

/** Whether the server processed the request and refused it, with or without a reason. */
export function hasRefused(error: unknown): error is ApiError {
  if (!(error instanceof ApiError) || error.status === 0) return false;
  return error.code !== "unexplained" || error.status < 500;
}
