import { z } from "zod";
import type { EngineIncidentState, FindingState, Severity, Verdict } from "../../../../contract/engine-kinds.ts";
import type { Finding, Incident } from "../engine.ts";
import { severityWords, shortened, wordIn } from "../read-records.ts";
import { readTime } from "../read-time.ts";

const ms = z.number().nullish();

const Shared = z.object({
  _id: z.string().min(1),
  _createdAt: z.number(),
  title: z.string().nullish(),
  severity: z.number().nullish(),
  severityLabel: z.string().nullish(),
  stage: z.string().nullish(),
  status: z.string().nullish(),
  inProgressDate: ms,
  timeToDetect: ms,
  timeToTriage: ms,
  timeToQualify: ms,
  timeToAcknowledge: ms,
});

export const Alert = Shared.extend({ date: ms });
export const Case = Shared.extend({ startDate: ms, endDate: ms, timeToResolve: ms, handlingDuration: ms });

/** Unlike other engines, TheHive counts up: 4 is the most severe. */
const severityNumbers: Record<number, Severity> = { 1: "low", 2: "medium", 3: "high", 4: "critical" };

const severityOf = ({ severity, severityLabel }: z.output<typeof Shared>): Severity =>
  severityLabel ? wordIn(severityWords, severityLabel) : (severityNumbers[severity ?? 0] ?? "unknown");

const rawSeverityOf = ({ severity, severityLabel }: z.output<typeof Shared>) => severityLabel ?? String(severity ?? "");

/** TheHive's administrators define the statuses; its stages are fixed. */
const alertStages: Record<string, FindingState> = {
  new: "open",
  inprogress: "acknowledged",
  imported: "closed",
  closed: "closed",
};
const alertStates: Record<string, FindingState> = { ...alertStages, ignored: "closed", duplicate: "closed" };

export function findingOf(alert: z.output<typeof Alert>): Finding | null {
  const { _id: id, _createdAt: createdAt } = alert;
  const at = readTime(alert.date) ?? readTime(createdAt);
  if (!at) return null;
  return {
    id,
    title: shortened(alert.title ?? "An alert without a title"),
    severity: severityOf(alert),
    rawSeverity: rawSeverityOf(alert),
    state: alert.stage ? wordIn(alertStages, alert.stage) : wordIn(alertStates, alert.status),
    at,
    firstResponseAt: readTime(alert.inProgressDate),
    deviceId: null,
    attack: [],
  };
}

const caseStages: Record<string, EngineIncidentState> = { new: "new", inprogress: "in_progress", closed: "closed" };
const caseStates: Record<string, EngineIncidentState> = {
  ...caseStages,
  indeterminate: "closed",
  falsepositive: "closed",
  truepositive: "closed",
  other: "closed",
  duplicated: "closed",
};
const verdictWords: Record<string, Verdict> = {
  falsepositive: "false_positive",
  truepositive: "true_positive",
  duplicated: "duplicate",
};

export function incidentOf(record: z.output<typeof Case>): Incident | null {
  const { _id: id, _createdAt: createdAt } = record;
  const openedAt = readTime(record.startDate) ?? readTime(createdAt);
  if (!openedAt) return null;
  const state = record.stage ? wordIn(caseStages, record.stage) : wordIn(caseStates, record.status);
  return {
    id,
    title: shortened(record.title ?? "A case without a title"),
    severity: severityOf(record),
    rawSeverity: rawSeverityOf(record),
    state,
    rawState: record.status ?? "",
    openedAt,
    firstResponseAt: readTime(record.inProgressDate),
    closedAt: readTime(record.endDate),
    verdict: state === "closed" ? wordIn(verdictWords, record.status) : null,
    timeline: [],
    figures: figuresOf(record),
  };
}

function figuresOf(record: z.output<typeof Case>): Record<string, number> {
  const names = [
    "timeToDetect",
    "timeToTriage",
    "timeToQualify",
    "timeToAcknowledge",
    "timeToResolve",
    "handlingDuration",
  ] as const;
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = record[name];
      return typeof value === "number" ? [[`${name}Seconds`, Math.round(value / 1000)]] : [];
    }),
  );
}
