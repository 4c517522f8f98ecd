import { z } from "zod";
import { Instant } from "./fields.ts";
import {
  clockKeys,
  clockStateNames,
  incidentNewsNames,
  incidentSeverities,
  incidentSourceNames,
  incidentStateNames,
  incidentVerdictNames,
  type WaitsFor,
  waitsFor,
} from "./incident-states.ts";
import { LadderCallSchema } from "./ladders.ts";
import { type ListQuery, listOf, type SortOf } from "./lists.ts";

const Severity = z.enum(incidentSeverities);
const State = z.enum(incidentStateNames);
export const Waits = z.enum(Object.keys(waitsFor) as [WaitsFor, ...WaitsFor[]]);
const ClockKey = z.enum(clockKeys as [string, ...string[]] as typeof clockKeys & [string, ...string[]]);
/** A page in the engine; null where none is known, and for readers who may not open it. */
const Link = z.string().nullable();
const By = z.enum(["us", "customer", "partner", "engine"]);

/** A case that people work on, as a row of a list. */
export const Incident = z.object({
  id: z.uuid(),
  /** What people call it: I-000123. */
  number: z.string(),
  title: z.string(),
  severity: Severity,
  state: State,
  waits_for: Waits.nullable(),
  source: z.enum(incidentSourceNames),
  organization_name: z.string(),
  owner: z.string().nullable(),
  /** When it was detected or reported. */
  opened_at: Instant,
  changed_at: Instant,
  /** The promise that runs out next and when; null while none runs. */
  next_clock: ClockKey.nullable(),
  next_due_at: Instant.nullable(),
  /** Number of broken promises, including those undone by a corrected fact. */
  broken: z.number().int(),
  /** Questions that wait for the customer's answer. */
  asks: z.number().int(),
});
export type Incident = z.infer<typeof Incident>;

export const incidentList = listOf(Incident, {
  sorts: ["opened_at", "changed_at", "organization_name"],
  named: { worst: ["severity", "state", "broken"] },
  searched: ["number", "title", "organization_name", "severity"],
});
export type IncidentSort = SortOf<typeof incidentList>;

export const IncidentQuerySchema = incidentList.query.extend({
  /** open: somebody still has to act. */
  show: z.enum(["open", "ended"]).optional(),
  severity: Severity.optional(),
});
export type IncidentQuery = ListQuery<IncidentSort> & Pick<z.output<typeof IncidentQuerySchema>, "show" | "severity">;

export const ClockShown = z.object({
  clock: ClockKey,
  state: z.enum(clockStateNames),
  /** The promise in words; null for none. */
  promised: z.string().nullable(),
  limit_minutes: z.number().int().nullable(),
  started_at: Instant.nullable(),
  /** Null while it is paused. */
  due_at: Instant.nullable(),
  ended_at: Instant.nullable(),
  counted_minutes: z.number().int(),
});
export type ClockShown = z.infer<typeof ClockShown>;

const TimelineFact = z.object({
  id: z.uuid(),
  news: z.enum(incidentNewsNames),
  occurred_at: Instant,
  recorded_at: Instant,
  by: By,
  person: z.string().nullable(),
  text: z.string(),
  severity: Severity.nullable(),
  owner: z.string().nullable(),
  /** Shown to administrators only. */
  owner_email: z.string().nullable(),
  reason: z.string(),
  waits_for: Waits.nullable(),
  verdict: z.enum(incidentVerdictNames).nullable(),
  internal: z.boolean(),
  /** False when a later fact replaces it or it was withdrawn. */
  stands: z.boolean(),
  corrects: z.uuid().nullable(),
  withdrawn: z.boolean(),
});
export type TimelineFact = z.infer<typeof TimelineFact>;

export const IncidentRoom = Incident.extend({
  clocks: z.array(ClockShown),
  /** The service levels that apply. */
  levels: z.object({ number: z.number().int(), is_sample: z.boolean() }),
  timeline: z.array(TimelineFact),
  questions: z.array(
    z.object({
      id: z.uuid(),
      /** The same id through all corrections of the question. */
      root: z.uuid(),
      text: z.string(),
      asked_at: Instant,
      pauses: z.boolean(),
      answer: z.string().nullable(),
      answered_at: Instant.nullable(),
    }),
  ),
  /** Waits for the customer, besides questions. */
  waits: z.array(z.object({ id: z.uuid(), text: z.string(), since: Instant })),
  breaches: z.array(
    z.object({
      clock: ClockKey,
      severity: Severity,
      due_at: Instant,
      recorded_at: Instant,
      undone_at: Instant.nullable(),
    }),
  ),
  files: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      bytes: z.number().int(),
      sha256: z.string(),
      by: By,
      person: z.string().nullable(),
      attached_at: Instant,
    }),
  ),
  findings: z.array(z.object({ id: z.uuid(), title: z.string(), severity: z.string(), at: Instant, link: Link })),
  /** The engine's case behind the incident, with the engine's own figures, in seconds. */
  engine: z
    .object({
      name: z.string(),
      external_id: z.string(),
      link: Link,
      state: z.string(),
      severity: z.string(),
      figures: z.array(z.object({ name: z.string(), seconds: z.number() })),
      timeline: z.array(z.object({ at: z.string(), kind: z.string(), text: z.string() })),
      /** What could not be written back to the engine, and why; for administrators only. */
      remarks_failed: z.string().nullable(),
    })
    .nullable(),
  report: z.object({ what: z.string(), since: z.string(), call: z.string() }).nullable(),
  /** When the on-call service was told of a reported attack; null where it is not to be told. */
  on_call: z.object({ told_at: Instant.nullable() }).nullable(),
  ladder: z.array(LadderCallSchema),
  /** The person at the customer who saw it first: the customer knew of it then at the latest. */
  first_seen: z.object({ by: z.string(), at: Instant }).nullable(),
  merged_into: z.object({ id: z.uuid(), number: z.string() }).nullable(),
  /** News that can be recorded now. */
  can: z.array(z.enum(incidentNewsNames)),
});
export type IncidentRoom = z.infer<typeof IncidentRoom>;
