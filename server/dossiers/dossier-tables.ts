import { brand } from "../../contract/brand.ts";
import { csvLines, csvStart } from "../../contract/csv.ts";
import {
  clockNames,
  clockStates,
  incidentNews,
  incidentVerdicts,
  severityNames,
  waitsFor,
} from "../../contract/incident-states.ts";
import type { IncidentRoom, TimelineFact } from "../../contract/incidents.ts";
import type { IncidentObligations } from "../../contract/obligations.ts";
import { factKinds } from "../../contract/regulator-facts.ts";
import { writtenValue } from "../obligations/draft.ts";

type Table = [head: readonly string[], ...rows: (readonly (string | number | null)[])[]];

/** A dossier's CSV files by name. All times are in UTC. */
export const tablesOf = (room: IncidentRoom, obligations: IncidentObligations): Record<string, string> =>
  Object.fromEntries(
    Object.entries({
      "timeline.csv": timeline(room),
      "clocks.csv": clocks(room),
      "broken-promises.csv": broken(room),
      "questions.csv": questions(room),
      "findings.csv": findings(room),
      "calls.csv": calls(room),
      "regulators-clocks.csv": regulators(obligations),
      "attested-facts.csv": attested(obligations),
      "filings.csv": filings(obligations),
    }).map(([name, rows]) => [name, csvStart + csvLines(rows.map((row) => row.map((cell) => cell ?? "")))]),
  );

const sideName = (by: TimelineFact["by"]) =>
  ({ us: brand.name, customer: "The customer", partner: "The partner", engine: "The engine" })[by];

/** The person and side that told a fact. */
export const teller = ({ by, person }: Pick<TimelineFact, "by" | "person">) =>
  [person, sideName(by)].filter(Boolean).join(", ");

const yes = (is: boolean) => (is ? "yes" : "no");

const timeline = ({ timeline: facts }: IncidentRoom): Table => [
  [
    "Happened",
    "Heard of",
    "What",
    "Who",
    "Side",
    "Words",
    "Severity",
    "Owner",
    "Waits for",
    "Reason",
    "Verdict",
    "For our team only",
    "Counts",
    "Taken back",
    "Corrects",
    "Id",
  ],
  ...facts
    .toReversed()
    .map((fact) => [
      fact.occurred_at,
      fact.recorded_at,
      incidentNews[fact.news],
      fact.person,
      sideName(fact.by),
      fact.text,
      fact.severity && severityNames[fact.severity],
      fact.owner,
      fact.waits_for && waitsFor[fact.waits_for],
      fact.reason,
      fact.verdict && incidentVerdicts[fact.verdict],
      yes(fact.internal),
      yes(fact.stands),
      yes(fact.withdrawn),
      fact.corrects,
      fact.id,
    ]),
];

const clocks = (room: IncidentRoom): Table => [
  ["Promise", "State", "Promised", "Started", "Due", "Ended", "Counted minutes", "Limit in minutes"],
  ...room.clocks.map((clock) => [
    clockNames[clock.clock],
    clockStates[clock.state],
    clock.promised,
    clock.started_at,
    clock.due_at,
    clock.ended_at,
    clock.counted_minutes,
    clock.limit_minutes,
  ]),
];

const broken = ({ breaches }: IncidentRoom): Table => [
  ["Promise", "Severity", "Was due", "Noted", "Undone by a correction"],
  ...breaches.map(({ clock, severity, due_at, recorded_at, undone_at }) => [
    clockNames[clock],
    severityNames[severity],
    due_at,
    recorded_at,
    undone_at,
  ]),
];

const questions = (room: IncidentRoom): Table => [
  ["Asked", "Question", "Pauses clocks", "Answered", "Answer"],
  ...room.questions.map(({ asked_at, text, pauses, answered_at, answer }) => [
    asked_at,
    text,
    yes(pauses),
    answered_at,
    answer,
  ]),
];

const findings = (room: IncidentRoom): Table => [
  ["Time", "Severity", "Finding", "Id"],
  ...room.findings.map(({ at, severity, title, id }) => [at, severity, title, id]),
];

const calls = ({ ladder }: IncidentRoom): Table => [
  ["Turn", "Name", "Mailed", "Tried by telephone", "Reached", "Reached by"],
  ...ladder.map(({ position, name, mailed_at, tried_at, reached_at, reached_by }) => [
    position + 1,
    name,
    mailed_at,
    tried_at,
    reached_at,
    reached_by,
  ]),
];

const regulators = ({ clocks: all }: IncidentObligations): Table => [
  [
    "Duty",
    "Instrument",
    "Paragraph",
    "To",
    "State",
    "Time allowed",
    "Started by",
    "Started",
    "Due",
    "Why",
    "Open questions",
    "How sure the text is",
    "Source",
    "Verified by",
  ],
  ...all.map((clock) => [
    clock.title,
    clock.instrument,
    clock.paragraph,
    clock.recipient,
    clock.state,
    clock.span,
    clock.started && factKinds[clock.started.fact].label,
    clock.started?.at ?? null,
    clock.dueAt,
    clock.why,
    clock.questions.map(({ question }) => question).join(" "),
    clock.confidence,
    clock.source,
    clock.verified?.by ?? null,
  ]),
];

const attested = ({ facts }: IncidentObligations): Table => [
  ["Entered", "Fact", "What", "Who", "Counts"],
  ...facts.map(({ enteredAt, kind, value, by, holds }) => [
    enteredAt,
    factKinds[kind].label,
    writtenValue(kind, value),
    by,
    yes(holds),
  ]),
];

const filings = ({ filings: filed }: IncidentObligations): Table => [
  ["Filed", "Duty", "Filed by", "Reference", "Recorded", "Recorded by", "SHA-256 of the draft"],
  ...filed.map(({ filedAt, title, filedBy, reference, recorded, hash }) => [
    filedAt,
    title,
    filedBy,
    reference,
    recorded.at,
    recorded.name,
    hash,
  ]),
];
