import { z } from "zod";
import { Day, Email, FreeText, Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

/** Who has to act. */
export const Side = z.enum(["yours", "ours"]);
export type Side = z.infer<typeof Side>;

export const onboardingKinds = ["contacts", "time zone", "sites", "log source", "first events", "dashboards"] as const;
export type OnboardingKind = (typeof onboardingKinds)[number];

/** A time zone as the IANA database names it. */
export const TimeZone = z.string().max(60).refine(isTimeZone, "Please choose a time zone, such as Asia/Kolkata");

function isTimeZone(name: string): boolean {
  try {
    return /^[A-Z]/.test(name) && Boolean(new Intl.DateTimeFormat("en", { timeZone: name }));
  } catch {
    return false;
  }
}

export const OnboardingItem = z.object({
  id: z.uuid(),
  kind: z.enum(onboardingKinds),
  title: z.string(),
  /** Instructions, one step each. */
  steps: z.array(z.string()),
  /** Candidate products from the catalogue, with their log formats. */
  products: z.array(z.string()),
  side: Side,
  /** The person on that side who does it; null while nobody is named. */
  owner: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  dueOn: Day,
  overdue: z.boolean(),
  /** unknown: the engine that would tell does not answer. */
  state: z.enum(["open", "done", "unknown"]),
  /** What engines and tiles report about it; null where only a person can know. */
  known: z.string().nullable(),
  /** Who ticked it, if a person did. */
  ticked: z.object({ by: z.string(), at: Instant }).nullable(),
  /** Whether a person may tick it, because nothing else can tell. */
  byHand: z.boolean(),
  note: z.string(),
  version: z.number().int(),
});
export type OnboardingItem = z.infer<typeof OnboardingItem>;

const Person = z.object({ id: z.uuid(), name: z.string() });
export const Site = z.object({ id: z.uuid(), name: z.string(), address: z.string() });
export type Site = z.infer<typeof Site>;

export const Onboarding = z.object({
  /** none: nothing was bought yet. */
  state: z.enum(["none", "open", "done"]),
  openedAt: Instant.nullable(),
  doneAt: Instant.nullable(),
  organizationName: z.string(),
  timeZone: z.string(),
  items: z.array(OnboardingItem),
  sites: z.array(Site),
  /** People to whom items can be assigned, by side. */
  people: z.object({ yours: z.array(Person), ours: z.array(Person) }),
});
export type Onboarding = z.infer<typeof Onboarding>;

const Seen = z.object({ id: z.uuid(), version: z.number().int().min(1) });
const Tick = Seen.extend({ done: z.boolean() });
const Plan = Seen.extend({
  side: Side,
  /** A person on that side; null for nobody. */
  ownerId: z.uuid().nullable(),
  dueOn: Day,
  note: z.union([z.literal(""), FreeText]),
});

const empty = z.object({});
const ofCustomer = z.object({ email: Email });
const reads = <Input extends z.ZodType>(input: Input) =>
  operation({
    method: "get",
    summary:
      "What has to happen before a customer is watched: each line with whose move it is, ticked by what engines know, or by a person",
    input,
    answer: Onboarding,
  });
const ticks = () =>
  operation({
    method: "post",
    summary:
      "Tick a line that only a person can know, or take the tick back; 409 when it was changed meanwhile, or when engines know it",
    input: Tick,
    answer: Message,
  });
const plans = () =>
  operation({
    method: "post",
    summary: "Say whose move a line is, who does it and until when; 409 when it was changed meanwhile",
    input: Plan,
    answer: Message,
  });

export const onboardingOperations = {
  "user/onboarding": reads(empty),
  "user/onboarding/state": operation({
    method: "get",
    summary: "Whether the organization's onboarding is under way, for the menu",
    input: empty,
    answer: Onboarding.pick({ state: true }),
  }),
  "user/onboarding/tick": ticks(),
  "user/onboarding/plan": plans(),
  "user/onboarding/time-zone": operation({
    method: "post",
    summary: "Set the organization's time zone, by which its days begin and its office hours count",
    input: z.object({ timeZone: TimeZone }),
    answer: Message,
  }),
  "user/onboarding/add-site": operation({
    method: "post",
    summary: "Add a place where devices stand; a repeated id adds one",
    input: z.object({
      /** Chosen by the client: repeating the call adds one site. */
      id: z.uuid(),
      name: line(limits.siteLineLengthMax, "Please name the site"),
      address: line(limits.obligationLineLengthMax, "Please enter the address"),
    }),
    answer: Message,
    status: 201,
  }),
  "user/onboarding/remove-site": operation({
    method: "post",
    summary: "Take a site out of the list",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "partner/onboarding": reads(ofCustomer),
  "admin/onboarding": reads(ofCustomer),
  "admin/onboarding/tick": ticks(),
  "admin/onboarding/plan": plans(),
};
