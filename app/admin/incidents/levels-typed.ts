import type { Agreement, Limit } from "../../../contract/incident-agreement.ts";
import { clockKeys, knownSeverities, type WaitsFor } from "../../../contract/incident-states.ts";

/** The form's values: one holiday per line, limits as text. */
export interface Typed {
  limits: Record<string, { minutes: string; calendar: Limit["calendar"] }>;
  timeZone: string;
  days: string[];
  from: string;
  to: string;
  holidays: string;
  pauses: Record<WaitsFor, string[]>;
  holdsFrom: string;
}

/** What the form starts with: a version as it would have been typed. */
export function typedOf({ limits, hours, pauses }: Agreement): Typed {
  const limitsTyped = knownSeverities.flatMap((severity) =>
    clockKeys.map((clock) => {
      const limit = limits[severity][clock];
      return [
        `${severity} ${clock}`,
        { minutes: limit ? String(limit.minutes) : "", calendar: limit?.calendar ?? "always" },
      ] as const;
    }),
  );
  return {
    limits: Object.fromEntries(limitsTyped),
    timeZone: hours.timeZone,
    days: hours.days.map(String),
    from: hours.from,
    to: hours.to,
    holidays: hours.holidays.map(({ day, name }) => `${day} ${name}`).join("\n"),
    pauses,
    holdsFrom: "",
  };
}

/** What is sent; the server says what is wrong with it. */
export function agreementOf({ limits, timeZone, days, from, to, holidays, pauses }: Typed): Agreement {
  const limitOf = (severity: string, clock: string): Limit | null => {
    const typed = limits[`${severity} ${clock}`];
    return typed?.minutes.trim() ? { minutes: Number(typed.minutes), calendar: typed.calendar } : null;
  };
  return {
    limits: Object.fromEntries(
      knownSeverities.map((severity) => [
        severity,
        Object.fromEntries(clockKeys.map((clock) => [clock, limitOf(severity, clock)])),
      ]),
    ) as Agreement["limits"],
    hours: {
      timeZone: timeZone.trim(),
      days: days.toSorted().map(Number),
      from,
      to,
      holidays: holidays
        .split("\n")
        .filter((line) => line.trim())
        .map((line) => {
          const [day = "", ...name] = line.trim().split(/\s+/);
          return { day, name: name.join(" ") };
        }),
    },
    pauses: pauses as Agreement["pauses"],
  };
}

/** The server's errors by the field in which each was typed; a holiday's names its line. */
export function errorsOf(fields: Record<string, string>): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const [place, text] of Object.entries(fields)) {
    const [field, said] = fieldOf(place, text);
    errors[field] ??= said;
  }
  return errors;
}

function fieldOf(place: string, text: string): [field: string, text: string] {
  if (place === "holds_from") return ["holdsFrom", text];
  const [part, ...rest] = place.replace("agreement.", "").split(".");
  const [first = "", second = ""] = rest;
  if (part === "limits") return [`limits.${first} ${second}.minutes`, text];
  if (part === "pauses") return [`pauses.${first}`, text];
  return first === "holidays" && second ? [first, `Holiday ${Number(second) + 1}: ${text}`] : [first, text];
}
