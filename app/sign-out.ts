import { call } from "./api.ts";
import { leaveSession } from "./session.ts";

/** Ends the session on the server and in this browser; in this browser even if the server can't be reached. */
export async function signOut(): Promise<void> {
  await call("auth/logout").catch(() => undefined);
  leaveSession();
}
