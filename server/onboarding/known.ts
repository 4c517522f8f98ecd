import { and, count, eq, isNotNull, isNull, max, min } from "drizzle-orm";
import type { CoverageLine } from "../../contract/coverage.ts";
import { keyOf } from "../../contract/devices.ts";
import type { OnboardingKind } from "../../contract/onboarding.ts";
import { coverageOf } from "../coverage/coverage-of.ts";
import type { Database, Transaction } from "../database/database.ts";
import {
  contactLadders,
  customerTools,
  engineBindings,
  engineDevices,
  engineFindings,
  engineStreams,
  onboardings,
  organisations,
  sites,
} from "../database/schema/index.ts";

/** What engines, tiles and settings say about a line. `done` is null if the source that should know does not answer. */
export interface Known {
  done: boolean | null;
  says: string;
}

/** What is known about a line without asking a person; undefined if only a person can know. */
export type KnownOf = (item: { kind: OnboardingKind; key: string }) => Known | undefined;

/** Reads what is known about an organisation's onboarding; devices come from the last count of its coverage. */
export async function readKnown(database: Database | Transaction, organisationId: string, now: Date): Promise<KnownOf> {
  const settings = await readSettings(database, organisationId);
  const events = await readEvents(database, organisationId);
  const { lines } = await coverageOf(database, organisationId, now);
  const byKey = new Map(lines.map((line) => [keyOf(line), line]));
  return ({ kind, key }) => {
    if (kind === "first events") return events;
    if (kind !== "log source") return settings[kind];
    const line = byKey.get(key);
    return line && knownOfLine(line);
  };
}

/** Undefined while no engine watches the customer: then only a person knows. */
function knownOfLine(line: CoverageLine): Known | undefined {
  const { contracted, connected, silent, neverConnected, unknown, missing, reasons } = line;
  if (reasons.some(({ reason }) => reason === "not_bound")) return undefined;
  const others: [number, string][] = [
    [silent, "silent"],
    [neverConnected, "never connected"],
    [missing, "not seen yet"],
    [unknown, "not known"],
  ];
  const rest = others.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  return {
    done: unknown > 0 ? null : connected >= contracted,
    says: `${[`${connected} of ${contracted} connected`, ...rest].join(", ")}.`,
  };
}

async function readSettings(database: Database | Transaction, organisationId: string) {
  const [ladder] = await database
    .select({ contacts: contactLadders.contacts })
    .from(contactLadders)
    .where(eq(contactLadders.organisationId, organisationId));
  const [zone] = await database
    .select({ timeZone: organisations.timeZone, setAt: onboardings.timeZoneSetAt })
    .from(organisations)
    .leftJoin(onboardings, eq(onboardings.organisationId, organisations.id))
    .where(eq(organisations.id, organisationId));
  const siteCount = await database.$count(
    sites,
    and(eq(sites.organisationId, organisationId), isNull(sites.removedAt)),
  );
  const [tools] = await database.select().from(customerTools).where(eq(customerTools.organisationId, organisationId));
  const contacts = ladder?.contacts.length ?? 0;
  const opened = [tools?.siemEnabled ? "SIEM" : "", tools?.soarEnabled ? "SOAR" : ""].filter(Boolean);
  return {
    contacts: {
      done: contacts > 0,
      says: contacts > 0 ? `${counted(contacts, "contact")} to call in turn.` : "Nobody is named yet.",
    },
    "time zone": {
      done: Boolean(zone?.setAt),
      says: zone?.setAt ? `${zone.timeZone}.` : `Nobody has confirmed ${zone?.timeZone ?? "it"} yet.`,
    },
    sites: { done: siteCount > 0, says: siteCount > 0 ? `${counted(siteCount, "site")}.` : "No site is named yet." },
    dashboards: {
      done: opened.length > 0,
      says: opened.length > 0 ? `${opened.join(" and ")} can be opened.` : "Not activated yet.",
    },
  } satisfies Partial<Record<OnboardingKind, Known>>;
}

/** A failing engine can't tell that nothing came; one that has ever reported events has settled the line. */
async function readEvents(database: Database | Transaction, organisationId: string): Promise<Known | undefined> {
  const [device] = await database
    .select({ at: max(engineDevices.lastEventAt) })
    .from(engineDevices)
    .where(and(eq(engineDevices.organisationId, organisationId), isNotNull(engineDevices.lastEventAt)));
  const [finding] = await database
    .select({ at: max(engineFindings.at) })
    .from(engineFindings)
    .where(eq(engineFindings.organisationId, organisationId));
  if (device?.at ?? finding?.at) return { done: true, says: "Events arrive." };
  const [bound] = await database
    .select({ bindings: count(engineBindings.id), failingSince: min(engineStreams.failingSince) })
    .from(engineBindings)
    .leftJoin(engineStreams, eq(engineStreams.bindingId, engineBindings.id))
    .where(and(eq(engineBindings.organisationId, organisationId), isNull(engineBindings.removedAt)));
  if (!bound || bound.bindings === 0) return undefined;
  return bound.failingSince
    ? { done: null, says: "Not known: an engine gives no answer." }
    : { done: false, says: "No event has come yet." };
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
