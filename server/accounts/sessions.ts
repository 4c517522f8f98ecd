import { and, desc, eq, gt, isNull, type SQL } from "drizzle-orm";
import type { Session } from "../../contract/accounts.ts";
import type { AuditAction } from "../../contract/audit.ts";
import { audit } from "../audit/audit.ts";
import { personOf, type Scope } from "../access/scope.ts";
import { sessions } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import type { Services } from "../services.ts";

/** The caller's own valid sessions, newest first. */
export const listSessions = (services: Services, scope: Scope<"own">): Promise<Session[]> =>
  listSessionsOf(services, personOf(scope), scope.actor.sessionId);

/**
 * A person's valid sessions, newest first; `current` is the id of the session that asks. The caller has checked that
 * the person is in scope.
 */
export async function listSessionsOf(services: Services, personId: string, current: string): Promise<Session[]> {
  const rows = await services.database
    .select()
    .from(sessions)
    .where(living(services, personId))
    .orderBy(desc(sessions.createdAt), desc(sessions.id));
  return rows.map((row) => ({
    id: row.id,
    current: row.id === current,
    device: deviceOf(row.userAgent),
    address: row.address,
    created_at: row.createdAt.toISOString(),
    expires_at: row.expiresAt.toISOString(),
  }));
}

/** Signs out one of the caller's own sessions. @throws Failure not_found for any other id */
export async function endSession(services: Services, scope: Scope<"own">, id: string): Promise<void> {
  const ended = await revoke(services, scope, "end session", eq(sessions.id, id));
  if (ended === 0) throw notFound("This session");
}

/** Signs out all of the caller's own sessions, including the one that asks. */
export async function signOutEverywhere(services: Services, scope: Scope<"own">): Promise<void> {
  await revoke(services, scope, "sign-out everywhere");
}

async function revoke(services: Services, scope: Scope<"own">, action: AuditAction, which?: SQL): Promise<number> {
  return services.database.transaction(async (transaction) => {
    const ended = await transaction
      .update(sessions)
      .set({ revokedAt: services.now() })
      .where(and(living(services, personOf(scope)), which))
      .returning({ id: sessions.id });
    for (const { id } of ended) await audit(transaction, scope.actor.personId, action, `session:${id}`);
    return ended.length;
  });
}

export const living = ({ now }: Services, personId: string) =>
  and(eq(sessions.personId, personId), isNull(sessions.revokedAt), gt(sessions.expiresAt, now()));

// The order matters: most browsers also name those that they descend from.
const browsers: [RegExp, string][] = [
  [/\bEdgA?\/|\bEdgiOS\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bFirefox\/|\bFxiOS\//, "Firefox"],
  [/\bChrome\/|\bCriOS\/|\bHeadlessChrome\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** "Firefox on Windows", from the user agent: good enough to tell one's own devices apart. */
export function deviceOf(userAgent: string): string {
  const nameIn = (known: [RegExp, string][]) => known.find(([sign]) => sign.test(userAgent))?.[1];
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "Unknown device";
}
