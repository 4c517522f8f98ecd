import { z } from "zod";
import {
  coverageLimits,
  coverageReasonNames,
  coverageStateNames,
  matchRuleKindNames,
  placeNames,
} from "./coverage-words.ts";
import { engineKindNames } from "./engine-kinds.ts";
import { Day, Email, Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

export type { CoverageReason, CoverageState, MatchedBy, MatchRuleKind, Place, Side } from "./coverage-words.ts";

const count = z.number().int().min(0);
const Reason = z.enum(coverageReasonNames);
const type = { service: z.string(), deviceType: z.string() };

/**
 * A contracted device type at one moment: contracted = connected + silent + neverConnected + unknown + missing. Devices
 * beyond the contract count in none of these.
 */
export const CoverageLine = z.object({
  /** The type's key on the rate card, and its display name. */
  ...type,
  name: z.string(),
  contracted: count,
  connected: count,
  silent: count,
  neverConnected: count,
  /** Their engine does not answer, so their state is not known. */
  unknown: count,
  /** Contracted, but no such device is known. */
  missing: count,
  /** Since when the state of some of them is not known; null while all are known. */
  unknownSince: Instant.nullable(),
  /** Minutes without an event after which a device of this type is silent. */
  silenceMinutes: count,
  /** Reasons why devices are not connected, most frequent first. */
  reasons: z.array(z.object({ reason: Reason, devices: count })),
});
export type CoverageLine = z.infer<typeof CoverageLine>;

/** Devices of a type beyond what any contract holds. */
export const CoverageAddition = z.object({
  ...type,
  name: z.string(),
  devices: count,
  connected: count,
  silent: count,
});
export type CoverageAddition = z.infer<typeof CoverageAddition>;

export const Coverage = z.object({
  /** When it was counted; null without a contract or an engine, where there is nothing to count. */
  asOf: Instant.nullable(),
  lines: z.array(CoverageLine),
  /** Devices of known types beyond the contract. */
  notContracted: count,
  /** The same by type. */
  additions: z.array(CoverageAddition),
  /** Devices whose type is not settled yet. */
  unmatched: count,
  /** Since when the state of some device is not known; null while all are known. */
  unknownSince: Instant.nullable(),
});
export type Coverage = z.infer<typeof Coverage>;

/** Coverage with the name of its customer. */
const CoverageShown = Coverage.extend({ organization_name: z.string() });
export type CoverageShown = z.infer<typeof CoverageShown>;

/** The sums at one moment of a day; all null for a day without a count. */
const CoverageDay = z.object({
  day: Day,
  contracted: count.nullable(),
  connected: count.nullable(),
  silent: count.nullable(),
  neverConnected: count.nullable(),
  unknown: count.nullable(),
  missing: count.nullable(),
  notContracted: count.nullable(),
  /** The same by device type. */
  lines: z.array(CoverageLine.omit({ unknownSince: true, silenceMinutes: true, reasons: true })),
});
export type CoverageDay = z.infer<typeof CoverageDay>;

export const CoveredDevice = z.object({
  id: z.uuid(),
  name: z.string(),
  address: z.string(),
  os: z.string(),
  groups: z.array(z.string()),
  logSources: z.array(z.string()),
  engine: z.enum(engineKindNames),
  state: z.enum(coverageStateNames),
  /** Why it is not connected; null while it is. */
  reason: Reason.nullable(),
  /** Since when it is silent or not known. */
  since: Instant.nullable(),
  lastSeenAt: Instant.nullable(),
  /** When it last sent anything; null if that is not known. */
  lastEventAt: Instant.nullable(),
  place: z.enum(placeNames),
  service: z.string().nullable(),
  deviceType: z.string().nullable(),
  matchedBy: z.enum([...matchRuleKindNames, "hand"]).nullable(),
  /** Minutes without an event after which it is silent, and whether the limit was set for this device alone. */
  silenceMinutes: count,
  hasOwnLimit: z.boolean(),
  /** Its page in the engine; null where none is known, and for readers who may not open it. */
  link: z.string().nullable(),
});
export type CoveredDevice = z.infer<typeof CoveredDevice>;

export const coveredDeviceList = listOf(CoveredDevice, {
  sorts: ["name", "deviceType"],
  named: {},
  searched: ["name", "address", "deviceType"],
});
export type CoveredDeviceSort = SortOf<typeof coveredDeviceList>;

const DevicesQuery = coveredDeviceList.query.extend({
  state: z.enum(coverageStateNames).optional(),
  place: z.enum(placeNames).optional(),
});
export type CoveredDevicesQuery = ListQuery<CoveredDeviceSort> & Pick<z.output<typeof DevicesQuery>, "state" | "place">;

/** The latest count for one customer. */
export const CustomerCoverage = z.object({
  id: z.uuid(),
  organization_name: z.string(),
  email: z.string(),
  asOf: Instant,
  /** Connected devices per hundred contracted ones; null where nothing is contracted. */
  watched: z.number().nullable(),
  contracted: count,
  connected: count,
  silent: count,
  neverConnected: count,
  unknown: count,
  missing: count,
  notContracted: count,
  unmatched: count,
  unknownSince: Instant.nullable(),
});
export type CustomerCoverage = z.infer<typeof CustomerCoverage>;

export const customerCoverageList = listOf(CustomerCoverage, {
  sorts: ["organization_name", "watched"],
  named: {},
  searched: ["organization_name"],
});
export type CustomerCoverageSort = SortOf<typeof customerCoverageList>;
export type CustomerCoverageQuery = ListQuery<CustomerCoverageSort>;

const name = line(limits.deviceTypeLengthMax, "Please choose the device type");
const Pattern = line(coverageLimits.matchPatternLengthMax, "Please enter what it is like");
const Minutes = z.coerce
  .number("Please enter the minutes")
  .int("Please enter whole minutes")
  .min(coverageLimits.silenceMinutesMin, `Please enter at least ${coverageLimits.silenceMinutesMin} minutes`)
  .max(coverageLimits.silenceMinutesMax, `Please enter at most ${coverageLimits.silenceMinutesMax} minutes`);

export const MatchRule = z.object({
  id: z.uuid(),
  version: z.number().int(),
  /** Whether the rule is for this customer alone; otherwise it is for all. */
  own: z.boolean(),
  kind: z.enum(matchRuleKindNames),
  pattern: z.string(),
  ...type,
  place: z.number().int(),
  /** Who last edited it, and when. */
  changedBy: z.string().nullable(),
  changedAt: Instant,
});
export type MatchRule = z.infer<typeof MatchRule>;

export const SilenceLimit = z.object({ own: z.boolean(), ...type, minutes: z.number().int() });
export type SilenceLimit = z.infer<typeof SilenceLimit>;

const Rules = z.object({
  rules: z.array(MatchRule),
  limits: z.array(SilenceLimit),
  /** The limits where none is set: for workstations, and for everything else. */
  defaults: z.object({ workstation: z.number().int(), other: z.number().int() }),
});
export type CoverageRules = z.infer<typeof Rules>;

const ofCustomer = z.object({ email: Email });
/** For one customer; without an e-mail, for all. */
const ofOneOrAll = z.object({ email: Email.optional() });

export const RuleInput = ofOneOrAll.extend({
  /** The rule to change and the version that was read; without an id, a new rule. */
  id: z.uuid().optional(),
  version: z.number().int().min(1).optional(),
  kind: z.enum(matchRuleKindNames, "Please choose what the rule goes by"),
  pattern: Pattern,
  service: name,
  deviceType: name,
  place: z.coerce.number("Please enter a number").int("Please enter a whole number").min(1).max(9999).default(100),
});
export type RuleInput = z.output<typeof RuleInput>;

export const LimitInput = ofOneOrAll.extend({
  service: name,
  deviceType: name,
  /** Null removes the limit, so that the one for all customers, or else the default, applies again. */
  minutes: Minutes.nullable(),
});
export type LimitInput = z.output<typeof LimitInput>;

export const DeviceDecision = ofCustomer.extend({
  ids: z.array(z.uuid()).min(1, "Please choose a device").max(limits.listLimitMax),
  /** type: it is of this type; not_ours: it is not to be watched; rules: the matching rules decide again. */
  decision: z.discriminatedUnion("is", [
    z.object({ is: z.literal("type"), service: name, deviceType: name }),
    z.object({ is: z.literal("not_ours") }),
    z.object({ is: z.literal("rules") }),
    /** The device's own silence limit; null for that of its type. */
    z.object({ is: z.literal("limit"), minutes: Minutes.nullable() }),
  ]),
});
export type DeviceDecision = z.output<typeof DeviceDecision>;

const days = z.object({ days: z.array(CoverageDay) });
const devices = z.object({ devices: z.array(CoveredDevice), ...listPage });
const customers = z.object({ customers: z.array(CustomerCoverage), ...listPage });

const readsCoverage = <Input extends z.ZodObject>(whose: string, input: Input) =>
  operation({
    method: "get",
    summary: `What ${whose} pays for beside what is connected: by device type, contracted = connected + silent + never connected + unknown + missing`,
    input,
    answer: CoverageShown,
  });
const readsDays = <Input extends z.ZodObject>(input: Input) =>
  operation({
    method: "get",
    summary: "The coverage of each of the last 90 days, as it was counted when the day began; null where it was not",
    input,
    answer: days,
  });
const listsDevices = <Input extends z.ZodObject>(input: Input) =>
  operation({
    method: "post",
    summary: `A customer's devices, each once. ${coveredDeviceList.summary}`,
    input,
    answer: devices,
  });
const listsCustomers = (whose: string) =>
  operation({
    method: "get",
    summary: `The coverage of ${whose}, the worst first. ${customerCoverageList.summary}`,
    input: customerCoverageList.query,
    answer: customers,
  });

export const coverageOperations = {
  "user/coverage": readsCoverage("the organization", z.object({})),
  "user/coverage/days": readsDays(z.object({})),
  "user/coverage/devices": listsDevices(DevicesQuery),
  "partner/coverage/customers": listsCustomers("the partner's customers"),
  "partner/coverage": readsCoverage("a customer", ofCustomer),
  "partner/coverage/days": readsDays(ofCustomer),
  "partner/coverage/devices": listsDevices(DevicesQuery.extend(ofCustomer.shape)),
  "admin/coverage/customers": listsCustomers("every customer"),
  "admin/coverage": readsCoverage("a customer", ofCustomer),
  "admin/coverage/days": readsDays(ofCustomer),
  "admin/coverage/devices": listsDevices(DevicesQuery.extend(ofCustomer.shape)),
  "admin/coverage/rules": operation({
    method: "get",
    summary: "The rules by which devices are matched to types, and the silence limits: of all customers, and of one",
    input: ofOneOrAll,
    answer: Rules,
  }),
  "admin/coverage/rules/save": operation({
    method: "post",
    summary: "Add a matching rule, or change one; 409 when `version` is no longer current",
    input: RuleInput,
    answer: Message.extend({ id: z.uuid() }),
  }),
  "admin/coverage/rules/remove": operation({
    method: "post",
    summary: "Remove a matching rule; 409 when `version` is no longer current",
    input: z.object({ id: z.uuid(), version: z.number().int().min(1) }),
    answer: Message,
  }),
  "admin/coverage/limits/save": operation({
    method: "post",
    summary: "Set after how many minutes without an event a device of a type is silent, or take that away",
    input: LimitInput,
    answer: Message,
  }),
  "admin/coverage/devices/decide": operation({
    method: "post",
    summary: "Say of devices what they are, that they are not to be watched, or how long they may be silent",
    input: DeviceDecision,
    answer: Message,
  }),
};
