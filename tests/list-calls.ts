import { randomUUID } from "node:crypto";
import { actionQueueNames } from "../contract/action-queues.ts";
import { type Answer, type Input, type OperationName, operations } from "../contract/operations.ts";
import type { Handler } from "../server/call.ts";
import { sessions } from "../server/database/schema/index.ts";
import { handlers } from "../server/http/api.ts";
import { authorise } from "../server/http/authenticate.ts";
import type { Services } from "../server/services.ts";
import { type Asker, askers } from "./list-rows.ts";

/** The operations that answer a page of a list. */
export type ListOperation = {
  [Name in OperationName]: Answer<Name> extends { nextCursor: string | null } ? Name : never;
}[OperationName];

type Sent = Readonly<Record<string, string>>;

/** A call of an operation by one of the askers, who have rows in `fillLists`. */
export interface Asking {
  as: Asker;
  /** Input besides page, sort and search. */
  with?: Sent;
}
export interface ListCall extends Asking {
  /** Further filters: the first page is requested with each. */
  narrowed?: readonly Sent[];
}

const withCustomer = { email: askers.customer.email };
const withPartner = { email: askers.largePartner.email };
const byProvider: ListCall = { as: "provider" };
const byCustomer: ListCall = { as: "customer" };
const byPartner: ListCall = { as: "largePartner" };
const byPartners: readonly ListCall[] = [byPartner, { as: "smallPartner" }];
const byPartnersWith = (...narrowed: Sent[]): ListCall[] => byPartners.map((call) => ({ ...call, narrowed }));
const openOrEnded: Sent[] = [{ show: "open" }, { show: "ended" }, { severity: "P1" }];
const statesOfDevices: Sent[] = [
  { state: "silent" },
  { state: "connected" },
  { place: "unmatched" },
  { place: "line" },
];

/** Calls of every list: the type demands an entry for every operation that answers a page. */
export const listCalls: Record<ListOperation, readonly ListCall[]> = {
  notices: [byCustomer, { ...byCustomer, with: { show: "unread" } }],
  "user/get-estimation": [byCustomer],
  "user/get-payment-by-email": [byCustomer],
  "user/children": [byCustomer],
  "user/coverage/devices": [{ ...byCustomer, narrowed: statesOfDevices }],
  "user/incidents": [{ ...byCustomer, narrowed: openOrEnded }],
  "user/findings": [{ ...byCustomer, narrowed: [{ fate: "open" }, { fate: "benign" }] }],
  "user/audit": [{ ...byCustomer, narrowed: [{ action: "sign-in" }, { from: "2026-01-01" }, { subject: "nobody" }] }],
  "user/reports": [byCustomer],
  "partner/users": byPartners,
  "partner/children": [byPartner],
  "partner/get-estimation": [{ ...byPartner, with: withCustomer }],
  "partner/get-payment-details": [{ ...byPartner, with: withCustomer }],
  "partner/contracts": byPartnersWith({ show: "to_decide" }, { show: "ends_soon" }),
  "partner/coverage/customers": byPartners,
  "partner/coverage/devices": [{ ...byPartner, with: withCustomer, narrowed: statesOfDevices }],
  "partner/incidents": [...byPartnersWith(...openOrEnded), { ...byPartner, with: withCustomer }],
  "partner/findings": [{ ...byPartner, with: withCustomer }],
  "partner/audit": byPartnersWith({ action: "sign-in" }, { subject: "nobody" }),
  "partner/reports": [...byPartners, { ...byPartner, with: withCustomer }],
  "partner/service": byPartners,
  "admin/getUserByAdmin": ["user", "partner"].map((role) => ({ ...byProvider, with: { role } })),
  "admin/getUsersByPartnerEmail": [{ ...byProvider, with: withPartner }],
  "admin/getChildrenByParentId": [byProvider],
  "admin/getEstimationByAdmin": [byProvider, { ...byProvider, with: { state: "rates_to_confirm" } }],
  "admin/getPaymentDetailsByStatus": ["success", "failure", "review", "refunded", "pending"].map((status) => ({
    ...byProvider,
    with: { status },
  })),
  "admin/getPaymentDetailsByPartnerId": [{ ...byProvider, with: withPartner }],
  "admin/getPaymentDetailsByEmailforAdmin": [{ ...byProvider, with: withCustomer }],
  "admin/contracts": [{ ...byProvider, narrowed: [{ show: "to_decide" }, { show: "ends_soon" }] }],
  "admin/leads": [
    {
      ...byProvider,
      narrowed: [
        { state: "open" },
        { state: "negotiation" },
        { state: "won" },
        { owner: askers.provider.personId },
        { owner: "nobody", state: "new" },
        { source: "contact" },
        { due: "today" },
        { rates: "waiting" },
        { from: "2026-01-01", to: "2026-12-31" },
      ],
    },
  ],
  "admin/people": [{ ...byProvider, with: withCustomer }],
  "admin/people/invitations": [byProvider],
  "admin/people/data-requests": [byProvider],
  "admin/actions": [
    ...["open", "closed"].map((state) => ({ ...byProvider, with: { queue: "payments", state } })),
    {
      ...byProvider,
      with: { queue: "mails" },
      narrowed: actionQueueNames.flatMap((queue) => ["open", "closed"].map((state) => ({ queue, state }))),
    },
  ],
  "admin/receivables": [byProvider],
  "admin/transfers": ["true", "false"].map((open) => ({ ...byProvider, with: { open } })),
  "admin/certificates": [byProvider],
  "admin/reconcile": ["open", "resolved"].map((state) => ({ ...byProvider, with: { state } })),
  "admin/coverage/customers": [byProvider],
  "admin/engines/all": [byProvider],
  "admin/coverage/devices": [{ ...byProvider, with: withCustomer, narrowed: statesOfDevices }],
  "admin/incidents": [
    { ...byProvider, narrowed: openOrEnded },
    { ...byProvider, with: withCustomer },
  ],
  "admin/findings": [{ ...byProvider, with: withCustomer }],
  "admin/audit": [
    {
      ...byProvider,
      narrowed: [
        { action: "sign-in" },
        { from: "2026-01-01" },
        { subject: "nobody" },
        { person: askers.provider.email },
        { search: "sign-in" },
      ],
    },
  ],
  "admin/posts": [{ ...byProvider, narrowed: [{ state: "draft" }, { tag: "SOC" }, { tag: "T7" }, { tag: "none" }] }],
  "admin/log-sources": [{ ...byProvider, narrowed: [{ state: "offered" }, { state: "retired" }] }],
  "admin/tiles": [byProvider],
  "admin/announcements": [byProvider],
  "admin/reports": [byProvider, { ...byProvider, with: withCustomer }],
  "admin/service": [byProvider],
};
export const listOperations = Object.keys(listCalls) as ListOperation[];

/** Cards and charts: sums and counts above lists and on dashboards. */
export const figureCalls: readonly [name: OperationName, asking: Asking][] = [
  ["partner/get-partner-dashboard", { as: "largePartner" }],
  ["partner/get-partner-dashboard", { as: "smallPartner" }],
  ["admin/getPartnerDashboardByEmail", { as: "provider", with: withPartner }],
  ["admin/overview", { as: "provider" }],
  ["admin/leads/funnel", { as: "provider" }],
  ["admin/receivables/ageing", { as: "provider" }],
  ["admin/actions/queues", { as: "provider" }],
  ["notices/news", { as: "customer" }],
  ["user/service", { as: "customer" }],
  ["user/coverage", { as: "customer" }],
  ["user/coverage/days", { as: "customer" }],
  ["user/get-users-dashboard-url", { as: "customer" }],
];

/** A readable name for a call: `admin/getPaymentDetailsByStatus failure`. */
export const nameOf = (name: OperationName, { as, with: given }: Asking): string =>
  [name, ...Object.values(given ?? {}), ...(as === "smallPartner" ? ["(few)"] : [])].join(" ");

/** The names of a list's sorts, as its operation takes them. */
export function sortsOf(name: ListOperation): string[] {
  const orders: readonly string[] = operations[name].input.shape.sort.unwrap().options;
  return orders.filter((order) => !order.startsWith("-"));
}

/**
 * Signs an asker in, and answers a function that calls the operation without HTTP, whose constant cost would hide the
 * growth with the rows.
 */
export async function openCall<Name extends OperationName>(services: Services, name: Name, { as, ...asking }: Asking) {
  const id = randomUUID();
  const expiresAt = new Date(services.now().getTime() + 3_600_000);
  await services.database.insert(sessions).values({ id, personId: askers[as].personId, expiresAt });
  const call = { ...(await authorise(services, name, { sessionId: id })), address: "", userAgent: "" };
  const handle = handlers[name] as Handler<Name>;
  return (sent: object = {}): Promise<Answer<Name>> =>
    handle(services, call, operations[name].input.parse({ ...asking.with, ...sent }) as Input<Name>);
}
