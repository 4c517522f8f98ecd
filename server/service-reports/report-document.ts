import { brand } from "../../contract/brand.ts";
import { formatCount } from "../../contract/format-count.ts";
import {
  clockNames,
  findingFateNames,
  findingFates,
  incidentSeverities,
  severityNames,
} from "../../contract/incident-states.ts";
import { monthInWords } from "../../contract/india-time.ts";
import type { BoardFigures, ReportData } from "../../contract/report-data.ts";
import { brandOnPaper, paperDate, paperDay } from "../outside/documents/paper.ts";
import { boardFigures } from "./close-month.ts";
import { paperTimeIn } from "./paper-times.ts";

/**
 * The data for the report's template, from the stored data alone: rendered again, only the date of writing differs.
 * `inNameOf` is the partner in whose name the report is; null for ours.
 */
export function reportPaper(data: ReportData, writtenAt: Date, inNameOf: string | null, cin: string) {
  const figures = boardFigures(data);
  return {
    brand: brandOnPaper(brand, cin),
    inNameOf,
    customer: data.customer,
    month: monthInWords(data.month),
    facts: [
      ["Customer", data.customer],
      ["Month", monthInWords(data.month)],
      [`Closed (${data.timeZone})`, paperTimeIn(data.until, data.timeZone)],
      ["Written on", paperDate(writtenAt)],
    ],
    board: boardRows(data, figures),
    coverage: coverageRows(data),
    incidents: incidentRows(data),
    promises: {
      hint: data.promises.isSample ? "By the sample of service levels that is shipped: nobody’s promise yet." : null,
      rows: data.promises.rows
        .filter(({ kept, broken, undone }) => kept + broken + undone > 0)
        .map(({ clock, kept, broken, undone }) => [clockNames[clock], ...[kept, broken, undone].map(formatCount)]),
    },
    findings: {
      received: formatCount(sumOf(Object.values(data.findings))),
      rows: findingFateNames.map((fate) => [findingFates[fate], formatCount(data.findings[fate])]),
    },
    actions: data.actions.map(({ what, owner, since }) => [
      what,
      owner,
      since ? paperTimeIn(since, data.timeZone) : "–",
    ]),
    changes: data.changes.map(({ on, contract, kind, devices }) => [
      paperDay(on),
      contract,
      changeWords[kind],
      devices.join(", "),
    ]),
    contract: data.contract && `${data.contract.number} runs until ${paperDay(data.contract.endsOn)}.`,
    filings: data.filings.map(({ incident, obligation, filedAt, reference, late }) => [
      incident,
      obligation,
      `${paperTimeIn(filedAt, data.timeZone)}${late ? ", late" : ""}`,
      reference || "–",
    ]),
    coming: data.coming.map(({ on, what }) => [paperDay(on), what]),
  };
}

const changeWords = { start: "Begun", add: "Added", "true up": "Added by true-up", remove: "Taken away" } as const;

/** Figure, this month, last month, and what it means. */
function boardRows(data: ReportData, now: BoardFigures): string[][] {
  const before = data.before;
  const last = (figure: (figures: BoardFigures) => string) => (before ? figure(before) : "–");
  const percent = ({ watchedPercent }: BoardFigures) => (watchedPercent === null ? "Not known" : `${watchedPercent}%`);
  const promises = ({ promisesKept, promisesBroken }: BoardFigures) =>
    `${formatCount(promisesKept)} kept, ${formatCount(promisesBroken)} broken`;
  return [
    ["Watched", percent(now), last(percent), coverageSentence(data)],
    ["Incidents", formatCount(now.incidents), last(({ incidents }) => formatCount(incidents)), incidentSentence(data)],
    ["Promises", promises(now), last(promises), promiseSentence(now)],
    [
      "Open actions",
      formatCount(now.openActions),
      last(({ openActions }) => formatCount(openActions)),
      actionSentence(data),
    ],
    [
      "Logs of 180 days",
      `${formatCount(now.sourcesHeld180)} of ${formatCount(data.retention.sources)}`,
      last(({ sourcesHeld180 }) => formatCount(sourcesHeld180)),
      retentionSentence(data),
    ],
  ];
}

function coverageSentence({ coverage }: ReportData): string {
  if (!coverage) return "Nothing was counted in this month: what was watched is not known.";
  const { lines } = coverage;
  const sum = (of: (line: (typeof lines)[number]) => number) => sumOf(lines.map(of));
  const [contracted, connected, silent] = [sum((l) => l.contracted), sum((l) => l.connected), sum((l) => l.silent)];
  if (contracted === 0) return "No devices are contracted.";
  const others = sum((line) => line.neverConnected + line.missing);
  const unknown = sum((line) => line.unknown);
  const rest = [
    silent > 0 && `${formatCount(silent)} silent`,
    others > 0 && `${formatCount(others)} not connected yet`,
    unknown > 0 && `${formatCount(unknown)} not known`,
  ].filter(Boolean);
  const says = `${formatCount(connected)} of ${formatCount(contracted)} contracted devices were connected on ${paperDay(coverage.countedOn)}`;
  return rest.length > 0 ? `${says}; ${rest.join(", ")}.` : `${says}.`;
}

function incidentSentence({ incidents }: ReportData): string {
  const opened = incidentSeverities.flatMap((severity) =>
    incidents.opened[severity] > 0 ? [`${formatCount(incidents.opened[severity])} × ${severityNames[severity]}`] : [],
  );
  const ended = `${formatCount(incidents.resolved)} resolved, ${formatCount(incidents.open)} open at the close.`;
  return opened.length > 0 ? `${opened.join("; ")}. ${ended}` : `None was opened. ${ended}`;
}

function promiseSentence({ promisesKept, promisesBroken }: BoardFigures): string {
  if (promisesKept + promisesBroken === 0) return "No promise fell due in this month.";
  return promisesBroken === 0 ? "Every promise that fell due was kept." : "What was broken stands below, one by one.";
}

function actionSentence({ actions, customer }: ReportData): string {
  if (actions.length === 0) return "Nobody had anything left to do.";
  const yours = actions.filter(({ side }) => side === "customer").length;
  return `${formatCount(yours)} with ${customer}, ${formatCount(actions.length - yours)} with ${brand.name}.`;
}

function retentionSentence({ retention }: ReportData): string {
  const { sources, known, held365, gaps } = retention;
  if (sources === 0) return "No log source is known.";
  const untold = sources - known > 0 ? ` Of ${formatCount(sources - known)} no events are known.` : "";
  return `${formatCount(held365)} reach 365 days; ${formatCount(gaps)} ${gaps === 1 ? "gap" : "gaps"}.${untold} The certificate names each.`;
}

function coverageRows({ coverage }: ReportData) {
  if (!coverage) return null;
  const { daysCounted, daysOfMonth, notContracted } = coverage;
  return {
    hint: `Counted on ${paperDay(coverage.countedOn)} as the day began. ${daysCounted} of the month’s ${daysOfMonth} days were counted; what the others were like is not known. ${formatCount(notContracted)} connected beyond the contract.`,
    rows: coverage.lines.map((line) => [
      line.name,
      ...[line.contracted, line.connected, line.silent, line.neverConnected + line.missing, line.unknown].map(
        formatCount,
      ),
      line.daysUnknown > 0 ? `${line.daysSilent}, ${line.daysUnknown} not known` : formatCount(line.daysSilent),
    ]),
  };
}

function incidentRows({ incidents, timeZone }: ReportData) {
  const at = (instant: string | null) => (instant ? paperTimeIn(instant, timeZone) : "–");
  return {
    more: incidents.more > 0 ? `${formatCount(incidents.more)} more in the portal.` : null,
    rows: incidents.rows.map((row) => [
      row.number,
      row.title,
      severityNames[row.severity],
      at(row.openedAt),
      at(row.acknowledgedAt),
      at(row.containedAt),
      at(row.resolvedAt),
      row.broken.map((clock) => clockNames[clock]).join(", ") || "none",
    ]),
  };
}

const sumOf = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0);
