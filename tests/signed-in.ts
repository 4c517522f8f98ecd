import type { TestServer } from "./harness.ts";
import type { Member } from "./people.ts";

/** A browser's stored session. */
export function signedIn(server: Pick<TestServer, "url">, { token, email }: Pick<Member, "token" | "email">) {
  const localStorage = Object.entries({ isAuthenticated: "true", token, email }).map(([name, value]) => ({
    name,
    value,
  }));
  return { storageState: { cookies: [], origins: [{ origin: server.url, localStorage }] } };
}
