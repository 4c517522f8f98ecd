import { z } from "zod";
import { Day, Instant, line, Message } from "./fields.ts";
import { clockKeys, knownSeverities } from "./incident-states.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

const Limit = z.object({
  minutes: z
    .number("Please enter minutes")
    .int("Please enter whole minutes")
    .min(1, "Please enter at least a minute")
    .max(525_600, "Please enter at most a year"),
  calendar: z.enum(["always", "business"]),
});
const clock = z.enum(clockKeys as [(typeof clockKeys)[number], ...typeof clockKeys]);
const Clocks = z.object({
  acknowledge: Limit.nullable(),
  contain: Limit.nullable(),
  resolve: Limit.nullable(),
});
const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Please enter a time like 09:00");
const isZone = (name: string) => {
  try {
    return Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
};

const AgreementSchema = z.object({
  limits: z.object(
    Object.fromEntries(knownSeverities.map((severity) => [severity, Clocks])) as Record<
      (typeof knownSeverities)[number],
      typeof Clocks
    >,
  ),
  hours: z
    .object({
      timeZone: z.string().max(60).refine(isZone, "Please enter a time zone such as Asia/Kolkata"),
      days: z.array(z.number().int().min(1).max(7)).min(1, "Please choose a day").max(7),
      from: Time,
      to: Time,
      holidays: z
        .array(z.object({ day: Day, name: line(80, "Please name the holiday") }))
        .max(limits.holidaysMax, `Please keep to ${limits.holidaysMax} holidays`),
    })
    .refine(({ from, to }) => from < to, { path: ["to"], error: "Please let the day end after it begins" }),
  pauses: z.object({ customer: z.array(clock), third_party: z.array(clock) }),
});

const Version = z.object({
  number: z.number().int(),
  holds_from: Instant,
  is_sample: z.boolean(),
  agreement: AgreementSchema,
  made_by: z.string().nullable(),
  made_at: Instant.nullable(),
});
export type LevelVersion = z.infer<typeof Version>;

export const incidentLevelOperations = {
  "admin/service-levels": operation({
    method: "get",
    summary: "The service levels in all their versions, the newest first; the shipped ones are a sample",
    input: z.object({}),
    answer: z.object({ versions: z.array(Version), in_force: z.number().int() }),
  }),
  "admin/service-levels/post": operation({
    method: "post",
    summary:
      "Publish another version, from now or later on; incidents that began before go by theirs. 409 when `after` is not the newest",
    input: z.object({
      /** The newest version that the caller has read. */
      after: z.number().int().min(0),
      /** Defaults to now; never in the past. */
      holds_from: Instant.optional(),
      agreement: AgreementSchema,
    }),
    answer: Message,
    status: 201,
  }),
};
