import { indiaZone, startOfWrittenDay, writtenDay } from "../../contract/india-time.ts";
import { coverageChartDays } from "../../contract/coverage-words.ts";
import type { CoverageLine } from "../../contract/coverage.ts";
import { daysAfter } from "../../contract/proration.ts";
import type { Transaction } from "../database/database.ts";
import { coverageDays, matchRules } from "../database/schema/index.ts";

const types = {
  server: { service: "Server", deviceType: "Prod Server" },
  firewall: { service: "Network & Security Solutions", deviceType: "Firewall" },
  workstation: { service: "Other", deviceType: "Workstation" },
} as const;

/** No rule covers the file servers, so that somebody has to decide what they are. */
const rules = [
  { kind: "name", pattern: "fw-*", ...types.firewall },
  { kind: "name", pattern: "pc-*", ...types.workstation },
  { kind: "system", pattern: "*Linux*", ...types.server },
  { kind: "system", pattern: "Ubuntu*", ...types.server },
] as const;

/** Sample rules for all customers, and one sample customer's coverage on the days before today. */
export async function insertCoverage(transaction: Transaction, now: Date, organisationId: string): Promise<void> {
  await transaction.insert(matchRules).values(rules.map((rule) => ({ ...rule, place: 100, changedAt: now })));
  const today = writtenDay(now);
  const down = [25, 26].map((ago) => daysAfter(today, -ago)).find((day) => !day.endsWith("-01"));
  const days = Array.from({ length: coverageChartDays }, (_, ago) => ago)
    // Two days on which nothing was counted.
    .filter((ago) => ago !== 40 && ago !== 41)
    .map((ago) => dayOf(organisationId, daysAfter(today, -ago), ago, down));
  await transaction.insert(coverageDays).values(days);
}

function dayOf(
  organisationId: string,
  day: string,
  ago: number,
  down: string | undefined,
): typeof coverageDays.$inferInsert {
  const takenAt = startOfWrittenDay(day);
  // On one morning, which no report covers, the engine gave no answer.
  const isDown = day === down;
  const line = (type: typeof types.server | typeof types.firewall | typeof types.workstation, counts: Counts) =>
    lineOf(type, isDown ? { contracted: counts.contracted, unknown: counts.contracted } : counts, takenAt);
  const workstations = Math.min(22, 14 + Math.floor((coverageChartDays - ago) / 7));
  return {
    organisationId,
    day,
    timeZone: indiaZone,
    takenAt,
    lines: [
      line(types.firewall, { contracted: 4, silent: ago < 2 ? 2 : ago < 9 ? 1 : 0 }),
      line(types.workstation, { contracted: 30, silent: 1, neverConnected: 1, missing: 28 - workstations }),
      line(types.server, { contracted: 6 }),
    ],
    notContracted: ago < 30 ? 2 : 0,
    unmatched: ago < 20 ? 4 : 0,
    unknownSince: isDown ? takenAt : null,
  };
}

type Counts = Pick<CoverageLine, "contracted"> &
  Partial<Pick<CoverageLine, "silent" | "neverConnected" | "unknown" | "missing">>;

function lineOf(
  type: Pick<CoverageLine, "service" | "deviceType">,
  { contracted, silent = 0, neverConnected = 0, unknown = 0, missing = 0 }: Counts,
  takenAt: Date,
): CoverageLine {
  const reasons = [
    { reason: "no_events" as const, devices: silent },
    { reason: "never" as const, devices: neverConnected },
    { reason: "no_answer" as const, devices: unknown },
    { reason: "missing" as const, devices: missing },
  ];
  return {
    ...type,
    name: type.deviceType,
    contracted,
    connected: contracted - silent - neverConnected - unknown - missing,
    silent,
    neverConnected,
    unknown,
    missing,
    unknownSince: unknown > 0 ? takenAt.toISOString() : null,
    silenceMinutes: type.deviceType === "Workstation" ? 1440 : 60,
    reasons: reasons.filter(({ devices }) => devices > 0),
  };
}
