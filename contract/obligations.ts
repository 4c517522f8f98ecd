import { z } from "zod";
import { entityClassNames } from "./entity-classes.ts";
import { Day, Instant, line, Message, ToldInstant } from "./fields.ts";
import { limits } from "./limits.ts";
import { ObligationWords } from "./obligation-kinds.ts";
import { operation } from "./operation.ts";
import { factKindNames, FactValue } from "./regulator-facts.ts";

/**
 * running: it applies and its end is known. overdue: the end has passed without a filing. filed, filed late: somebody
 * filed. at once: due without delay, with no number given. waiting: it applies, but its start is not known. may apply:
 * a fact that it depends on is not known. not: an attested fact rules it out. not in force: not on the incident's date.
 */
/** Most urgent first. */
export const clockStatesOfRegulators = [
  "at once",
  "overdue",
  "running",
  "waiting",
  "may apply",
  "filed late",
  "filed",
  "not in force",
  "not",
] as const;
export const RegulatorClockState = z.enum(clockStatesOfRegulators);
export type RegulatorClockState = z.infer<typeof RegulatorClockState>;

/** A missing fact and who can supply it; without a fact, the question is about the organisation. */
export const ClockQuestion = z.object({
  fact: z.enum(factKindNames).nullable(),
  question: z.string(),
  who: z.string(),
});
export type ClockQuestion = z.infer<typeof ClockQuestion>;

export const RegulatorClock = z.object({
  key: z.string(),
  version: z.number().int(),
  title: z.string(),
  instrument: z.string(),
  paragraph: z.string(),
  recipient: z.string(),
  confidence: z.string(),
  source: z.string(),
  note: z.string(),
  /** Who verified the wording, by name, and when; null if nobody has. */
  verified: z.object({ by: z.string(), on: Instant }).nullable(),
  state: RegulatorClockState,
  /** The span in words: 6 hours. */
  span: z.string(),
  /** The filing deadline; also given where it may apply and its start is known. */
  dueAt: Instant.nullable(),
  /** The fact that started it. */
  started: z.object({ fact: z.enum(factKindNames), at: Instant }).nullable(),
  /** Why it is in this state, in a sentence. */
  why: z.string(),
  questions: z.array(ClockQuestion),
});
export type RegulatorClock = z.infer<typeof RegulatorClock>;

const Named = z.object({ name: z.string(), at: Instant });

export const AttestedFact = z.object({
  kind: z.enum(factKindNames),
  value: FactValue,
  /** Who attests it: a person, an engine, or our record of who opened the incident here. */
  by: z.string(),
  enteredAt: Instant,
  /** Whether this is the fact that counts: the newest of its kind. */
  holds: z.boolean(),
});
export type AttestedFact = z.infer<typeof AttestedFact>;

export const Filing = z.object({
  id: z.uuid(),
  key: z.string(),
  title: z.string(),
  filedBy: z.string(),
  filedAt: Instant,
  reference: z.string(),
  /** SHA-256 of the draft at that time. */
  hash: z.string(),
  recorded: Named,
});
export type Filing = z.infer<typeof Filing>;

const Classes = z.object({
  classes: z.array(z.enum(entityClassNames)),
  /** 0 until somebody states the classes. */
  version: z.number().int(),
  set: Named.nullable(),
});
export type ClassesSaid = z.infer<typeof Classes>;

export const IncidentObligations = z.object({
  incident: z.object({ id: z.uuid(), number: z.string(), title: z.string() }),
  /** The customer's. */
  organizationName: z.string(),
  timeZone: z.string(),
  /** The day whose law applies. */
  incidentDay: Day,
  asOf: Instant,
  entity: Classes,
  clocks: z.array(RegulatorClock),
  facts: z.array(AttestedFact),
  /** The person at the customer who first opened it here: the customer knew then at the latest. */
  firstSeen: Named.nullable(),
  filings: z.array(Filing),
  /** The customer's people, any of whom may have filed. */
  people: z.array(z.object({ id: z.uuid(), name: z.string() })),
});
export type IncidentObligations = z.infer<typeof IncidentObligations>;

export const CalendarDuty = z.object({
  key: z.string(),
  title: z.string(),
  instrument: z.string(),
  paragraph: z.string(),
  recipient: z.string(),
  /** Null where the source does not say on which day. */
  dueOn: Day.nullable(),
  /** Whether it is certain to apply; false while the organisation's classes are not known. */
  applies: z.boolean(),
});
export type CalendarDuty = z.infer<typeof CalendarDuty>;

/** A clock in a list across incidents. */
export const OpenObligation = z.object({
  incidentId: z.uuid(),
  incidentNumber: z.string(),
  incidentTitle: z.string(),
  key: z.string(),
  title: z.string(),
  state: RegulatorClockState,
  dueAt: Instant.nullable(),
  questions: z.number().int(),
});
export type OpenObligation = z.infer<typeof OpenObligation>;

export const ObligationsOverview = z.object({
  entity: Classes,
  open: z.array(OpenObligation),
  calendar: z.array(CalendarDuty),
});
export type ObligationsOverview = z.infer<typeof ObligationsOverview>;

export const EditableObligation = z.object({
  key: z.string(),
  /** 0: as shipped. */
  version: z.number().int(),
  words: ObligationWords,
  verified: z.object({ by: z.string(), on: Instant }).nullable(),
  changed: Named.nullable(),
});
export type EditableObligation = z.infer<typeof EditableObligation>;

const Key = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .max(60);
const ofIncident = z.object({ id: z.uuid() });
const ofDraft = ofIncident.extend({ key: Key, format: z.enum(["text", "pdf"]) });
/** `content` in base64. */
const Draft = z.object({ fileName: z.string(), type: z.string(), content: z.base64(), text: z.string() });
const NewFact = ofIncident.extend({
  /** Chosen by the client: repeating the call enters the fact once. */
  factId: z.uuid(),
  kind: z.enum(factKindNames),
  value: FactValue,
});
export type NewFact = z.infer<typeof NewFact>;
const NewFiling = ofIncident.extend({
  /** Chosen by the client: repeating the call records the filing once. */
  filingId: z.uuid(),
  key: Key,
  /** The version of the obligation that was read. */
  version: z.number().int().min(0),
  /** The person at the customer who filed. */
  filedBy: z.uuid(),
  filedAt: ToldInstant,
  reference: z.union([z.literal(""), line(limits.obligationLineLengthMax)]),
});
export type NewFiling = z.infer<typeof NewFiling>;

const reads = () =>
  operation({
    method: "get",
    summary:
      "Which regulators' clocks an incident may have started, from what is attested of it; what is missing is a question. It counts, and decides nothing",
    input: ofIncident,
    answer: IncidentObligations,
  });
const entersFact = () =>
  operation({
    method: "post",
    summary:
      "Attest a fact of an incident. Nothing is overwritten: the newest of a kind counts, the others stay to be seen",
    input: NewFact,
    answer: Message,
    status: 201,
  });
const drafts = () =>
  operation({
    method: "post",
    summary:
      "A draft of what a regulator asks for, in the order of its form, as text or PDF in base64; nothing is filed",
    input: ofDraft,
    answer: Draft,
  });

export const obligationOperations = {
  "user/obligations": operation({
    method: "get",
    summary:
      "What the organization is to regulators, the clocks of all its incidents that nobody has answered, and what the calendar brings",
    input: z.object({}),
    answer: ObligationsOverview,
  }),
  "user/obligations/classes": operation({
    method: "post",
    summary: "Say what the organization is to regulators; kept with who and when. 409 when somebody else was faster",
    input: z.object({
      classes: z.array(z.enum(entityClassNames)).max(entityClassNames.length),
      version: z.number().int().min(0),
    }),
    answer: Message,
  }),
  "user/incidents/{id}/obligations": reads(),
  "user/incidents/{id}/facts": entersFact(),
  "user/incidents/{id}/draft": drafts(),
  "user/incidents/{id}/filings": operation({
    method: "post",
    summary:
      "Keep that a person of the organization filed a report, when, and under which reference. It is evidence and is never changed",
    input: NewFiling,
    answer: Message,
    status: 201,
  }),
  "partner/incidents/{id}/obligations": reads(),
  "admin/incidents/{id}/obligations": reads(),
  "admin/incidents/{id}/facts": entersFact(),
  "admin/incidents/{id}/draft": drafts(),
  "admin/obligations": operation({
    method: "get",
    summary: "All obligations, as shipped or as an administrator wrote them last, those that are switched off too",
    input: z.object({}),
    answer: z.object({ obligations: z.array(EditableObligation) }),
  }),
  "admin/obligations/history": operation({
    method: "get",
    summary: "The versions of an obligation, newest first",
    input: z.object({ key: Key }),
    answer: z.object({ versions: z.array(EditableObligation) }),
  }),
  "admin/obligations/post": operation({
    method: "post",
    summary:
      "Write an obligation, or its next version; whoever had verified it has to do so again. 409 when `version` is no longer current",
    input: z.object({
      key: Key,
      /** The version that was read; null for a new obligation. */
      version: z.number().int().min(0).nullable(),
      words: ObligationWords,
    }),
    answer: Message,
  }),
  "admin/obligations/verify": operation({
    method: "post",
    summary:
      "Vouch by name that an obligation says what the official text says, or take that back. 409 when `version` is no longer current",
    input: z.object({ key: Key, version: z.number().int().min(0), verified: z.boolean() }),
    answer: Message,
  }),
};
