import { entityClasses, type EntityClass } from "../../contract/entity-classes.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { type IncidentType, incidentTypes } from "../../contract/incident-types.ts";
import type { Obligation, Requirement } from "../../contract/obligation-kinds.ts";
import type { ClockQuestion, RegulatorClock, RegulatorClockState } from "../../contract/obligations.ts";
import { factKinds, type RegulatorFactKind, type TimeFact } from "../../contract/regulator-facts.ts";
import { writtenInIndia } from "./written-in-india.ts";

/** What is known about an incident; a missing field is not known. An empty list of types means none of them. */
export interface KnownFacts {
  times: Partial<Record<TimeFact, Date>>;
  types?: readonly IncidentType[];
  answers: Partial<Record<"personal data" | "material", boolean>>;
  choices: Partial<Record<"severity" | "origin", string>>;
}

export interface Counted<Held extends Obligation = Obligation> {
  obligations: readonly Held[];
  /** What the organisation is to regulators; null while nobody has said. */
  classes: readonly EntityClass[] | null;
  facts: KnownFacts;
  /** When the incident was opened. The law of that day applies unless an earlier time is known. */
  openedAt: Date;
  /** The first filing of each obligation, by its key. */
  filed: ReadonlyMap<string, { filedAt: Date }>;
  now: Date;
}

export type CountedClock<Held extends Obligation = Obligation> = Pick<
  RegulatorClock,
  "state" | "span" | "why" | "questions"
> & {
  obligation: Held;
  dueAt: Date | null;
  started: { fact: TimeFact; at: Date } | null;
};

/**
 * The clocks of one incident under each obligation for incidents, by the law of the incident's day. An unknown fact
 * becomes a question and never counts as a no; free text decides nothing.
 */
export const countClocks = <Held extends Obligation>(counted: Counted<Held>): CountedClock<Held>[] =>
  counted.obligations
    .filter(({ on, deadline }) => on && deadline.kind !== "calendar")
    .map((obligation) => countOne(obligation, counted));

/** The day in India that decides which law applies. */
export const dayOfIncident = (counted: Pick<Counted, "facts" | "openedAt">): string =>
  writtenDay(earliestKnown(counted));

/** The earliest known time of an incident, including when it was opened. */
export function earliestKnown({ facts, openedAt }: Pick<Counted, "facts" | "openedAt">): Date {
  const { occurred, detected, noticed, "brought to notice": brought, aware } = facts.times;
  const known = [occurred, detected, noticed, brought, aware, openedAt].filter((each) => each !== undefined);
  return new Date(Math.min(...known.map(Number)));
}

function countOne<Held extends Obligation>(obligation: Held, counted: Counted): CountedClock<Held> {
  const { facts, filed, now } = counted;
  const ruling = rule(obligation, counted);
  const started = startOf(obligation, facts);
  const { deadline } = obligation;
  const dueAt =
    started && deadline.kind === "relative" ? new Date(started.at.getTime() + deadline.minutes * 60_000) : null;
  const clock = { obligation, span: spanOf(obligation), started, dueAt };
  if (ruling.answer === "no") return { ...clock, ...ruling, dueAt: null, started: null, questions: [] };
  const questions = [...ruling.questions, ...questionsOfStart(obligation, started, facts)];
  const filedAt = filed.get(obligation.key)?.filedAt;
  if (filedAt) {
    const isLate = dueAt !== null && filedAt > dueAt;
    const why = `Filed on ${writtenInIndia(filedAt)}${isLate ? `; it was due on ${writtenInIndia(dueAt)}` : ""}.`;
    return { ...clock, state: isLate ? "filed late" : "filed", why, questions: [] };
  }
  return { ...clock, questions, ...stateOf(ruling.answer, clock, now) };
}

function stateOf(
  answer: "yes" | "unknown",
  { obligation, started, dueAt }: Pick<CountedClock, "obligation" | "started" | "dueAt">,
  now: Date,
): { state: RegulatorClockState; why: string } {
  const since = started
    ? `${factKinds[started.fact].label} on ${writtenInIndia(started.at)}${dueAt ? `, so that it ends on ${writtenInIndia(dueAt)}` : ""}.`
    : "What starts the clock is not known.";
  if (answer === "unknown") return { state: "may apply", why: `Whether it applies is not known. ${since}` };
  if (!started) return { state: "waiting", why: since };
  if (obligation.deadline.kind === "immediate")
    return { state: "at once", why: `${since} Without delay: the text names no number of hours.` };
  return { state: dueAt && dueAt < now ? "overdue" : "running", why: since };
}

type Ruling =
  | { answer: "yes"; questions: ClockQuestion[] }
  | { answer: "unknown"; questions: ClockQuestion[] }
  | { answer: "no"; state: "not" | "not in force"; why: string };

/** Whether an obligation binds: a no follows only from what the customer is, from an attested fact, or from the day. */
function rule(obligation: Obligation, { classes, facts, openedAt }: Counted): Ruling {
  const byClass = ruleByClass(obligation, classes);
  if (byClass.answer === "no") return byClass;
  const day = dayOfIncident({ facts, openedAt });
  const { validFrom, validTo } = obligation;
  if (validFrom && day < validFrom)
    return no("not in force", `In force from ${writtenDayOf(validFrom)}; the incident's day is ${writtenDayOf(day)}.`);
  if (validTo && day > validTo)
    return no("not in force", `In force until ${writtenDayOf(validTo)}; the incident's day is ${writtenDayOf(day)}.`);
  const questions = [...byClass.questions];
  for (const requirement of obligation.requires) {
    const met = isMet(requirement, facts);
    if (met === false) return no("not", sayWhyNot(requirement, facts));
    if (met === null) questions.push(asking(requirement.fact));
  }
  return { answer: questions.length > 0 ? "unknown" : "yes", questions };
}

const no = (state: "not" | "not in force", why: string): Ruling & { answer: "no" } => ({ answer: "no", state, why });

function ruleByClass({ classes: bound, exceptClasses }: Obligation, classes: readonly EntityClass[] | null): Ruling {
  if (!classes)
    return {
      answer: "unknown",
      questions: [
        {
          fact: null,
          question: `Is your organization one of these: ${bound.map((each) => entityClasses[each].name).join("; ")}?`,
          who: "the main user of your organization",
        },
      ],
    };
  const except = exceptClasses.find((each) => classes.includes(each));
  if (except)
    return no(
      "not",
      `Your organization is said to be: ${entityClasses[except].name}. Another regulator takes the place.`,
    );
  if (!bound.some((each) => classes.includes(each)))
    return no("not", "Your organization is not said to be any of those whom it binds.");
  return { answer: "yes", questions: [] };
}

/** Null while the fact is not known. */
function isMet(requirement: Requirement, facts: KnownFacts): boolean | null {
  if (requirement.fact === "types") {
    const { types } = facts;
    if (!types) return null;
    if (requirement.any === "none") return types.length === 0;
    if (requirement.any === "listed") return types.length > 0;
    return requirement.any.some((each) => types.includes(each));
  }
  if ("is" in requirement) {
    const answer = facts.answers[requirement.fact];
    return answer === undefined ? null : answer === requirement.is;
  }
  const choice = facts.choices[requirement.fact];
  return choice === undefined ? null : requirement.any.includes(choice);
}

function sayWhyNot({ fact }: Requirement, facts: KnownFacts): string {
  const { label } = factKinds[fact];
  if (fact === "types") {
    const types = (facts.types ?? []).map((each) => `${each} ${incidentTypes[each]}`);
    return `Somebody attested the kind of incident: ${types.join("; ") || "none of the twenty"}.`;
  }
  if (fact === "severity" || fact === "origin")
    return `Somebody attested: ${label}, ${(factKinds[fact].of as Record<string, string>)[facts.choices[fact] ?? ""] ?? ""}.`;
  return `Somebody attested: ${label}, ${facts.answers[fact] ? "yes" : "no"}.`;
}

/** The earliest known time of those that start it. */
function startOf({ deadline }: Obligation, { times }: KnownFacts): CountedClock["started"] {
  if (deadline.kind === "calendar") return null;
  const known = deadline.anchors.flatMap((fact) => {
    const at = times[fact];
    return at ? [{ fact, at }] : [];
  });
  return known.reduce<CountedClock["started"]>((first, each) => (first && first.at <= each.at ? first : each), null);
}

/**
 * While nothing has started the clock, asks for every time that could. `brought to notice` may not be the first, so the
 * others are still asked for.
 */
function questionsOfStart({ deadline }: Obligation, started: CountedClock["started"], { times }: KnownFacts) {
  if (deadline.kind === "calendar" || (started && started.fact !== "brought to notice")) return [];
  return deadline.anchors.filter((fact) => times[fact] === undefined).map(asking);
}

const asking = (fact: RegulatorFactKind): ClockQuestion => {
  const { question, who } = factKinds[fact];
  return { fact, question, who };
};

/** Such as: 6 hours, 30 days, without delay. */
export function spanOf({ deadline }: Pick<Obligation, "deadline">): string {
  if (deadline.kind === "immediate") return "without delay";
  if (deadline.kind === "calendar")
    return deadline.days === null ? "each quarter" : `${deadline.days} days after the month`;
  const { minutes } = deadline;
  const [count, unit] =
    minutes % 1440 === 0 && minutes > 2880
      ? [minutes / 1440, "days"]
      : minutes % 60 === 0
        ? [minutes / 60, "hours"]
        : [minutes, "minutes"];
  return `${count} ${unit}`;
}

const onPaper = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });
const writtenDayOf = (day: string) => onPaper.format(new Date(`${day}T00:00:00Z`));
