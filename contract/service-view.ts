import { z } from "zod";
import { RenewalState } from "./contracts.ts";
import { Day, Instant } from "./fields.ts";
import { clockKeys, incidentSeverities, incidentStateNames } from "./incident-states.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { RegulatorClockState } from "./obligations.ts";
import { operation } from "./operation.ts";

const count = z.number().int().min(0);

/** contracted = connected + silent + neverConnected + unknown + missing. */
const counts = {
  contracted: count,
  connected: count,
  silent: count,
  neverConnected: count,
  unknown: count,
  missing: count,
};
const Severity = z.enum(incidentSeverities);
const OpenCount = z.object({ severity: Severity, open: count });

/** The state of one customer's service, for its dashboard. */
export const ServiceView = z.object({
  coverage: z.object({
    /** When it was counted; null where there is nothing to count yet. */
    asOf: Instant.nullable(),
    ...counts,
    notContracted: count,
    /** Since when the state of some device is not known; null while all are known. */
    unknownSince: Instant.nullable(),
  }),
  incidents: z.object({
    bySeverity: z.array(OpenCount),
    /** The worst five. */
    worst: z.array(
      z.object({
        id: z.uuid(),
        number: z.string(),
        title: z.string(),
        severity: Severity,
        state: z.enum(incidentStateNames),
      }),
    ),
  }),
  /** What runs out next: our promises, and reports to regulators. */
  clocks: z.array(
    z.discriminatedUnion("of", [
      z.object({
        of: z.literal("promise"),
        incidentId: z.uuid(),
        number: z.string(),
        clock: z.enum(clockKeys),
        dueAt: Instant,
      }),
      z.object({
        of: z.literal("regulator"),
        incidentId: z.uuid(),
        number: z.string(),
        title: z.string(),
        state: RegulatorClockState,
        dueAt: Instant.nullable(),
      }),
    ]),
  ),
  /** What the customer has to do. */
  actions: z.array(
    z.object({
      what: z.string(),
      /** Where it is done. */
      place: z.enum(["incident", "coverage", "onboarding", "contract"]),
      /** The incident's id. */
      id: z.uuid().nullable(),
      dueOn: Day.nullable(),
    }),
  ),
  moreActions: count,
  contract: z
    .object({
      number: z.string(),
      starts_on: Day,
      ends_on: Day,
      days_left: count,
      renewal: RenewalState,
      renews_itself: z.boolean(),
    })
    .nullable(),
  /** The newest quote that can be bought or is being paid, while there is no contract. */
  quote: z.object({ number: z.string(), valid_until: Instant, isBeingPaid: z.boolean() }).nullable(),
});
export type ServiceView = z.infer<typeof ServiceView>;

/** The state of the service of one among several customers. */
export const CustomerService = z.object({
  id: z.uuid(),
  organization_name: z.string(),
  email: z.string(),
  ...counts,
  /** Connected devices per hundred contracted ones; null where nothing is contracted. */
  watched: z.number().nullable(),
  unknownSince: Instant.nullable(),
  openIncidents: count,
  /** How many of these are P1 or of unknown severity, and how many have a broken promise. */
  openP1: count,
  broken: count,
});
export type CustomerService = z.infer<typeof CustomerService>;

export const customerServiceList = listOf(CustomerService, {
  sorts: ["organization_name", "watched"],
  named: {},
  searched: ["organization_name"],
});
export type CustomerServiceSort = SortOf<typeof customerServiceList>;
export type CustomerServiceQuery = ListQuery<CustomerServiceSort>;

/** Totals over all customers of the reader. */
export const ServiceTotals = z.object({
  customers: count,
  /** Customers among these with some device whose state is not known. */
  unknownCustomers: count,
  ...counts,
  bySeverity: z.array(OpenCount),
  /** Open incidents with a broken promise. */
  broken: count,
});
export type ServiceTotals = z.infer<typeof ServiceTotals>;

const ofCustomers = (whose: string) =>
  operation({
    method: "get",
    summary: `How the service of ${whose} stands, the worst watched first, by what was counted last. ${customerServiceList.summary}`,
    input: customerServiceList.query,
    answer: z.object({ totals: ServiceTotals, customers: z.array(CustomerService), ...listPage }),
  });

export const serviceViewOperations = {
  "user/service": operation({
    method: "get",
    summary:
      "How the organization's service stands: coverage, open incidents, clocks that run, what is to be done, the contract",
    input: z.object({}),
    answer: ServiceView,
  }),
  "partner/service": ofCustomers("the partner's customers"),
  "admin/service": ofCustomers("every customer"),
};
