import { z } from "zod";
import { actionQueueNames } from "./action-queues.ts";
import { Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { counted, type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { Payment } from "./orders.ts";

export const ActionQueueName = z.enum(actionQueueNames, "Please choose one of the queues");

/** Something that waits, or waited, for one of our staff. */
export const ActionItem = z.object({
  id: z.uuid(),
  queue: ActionQueueName,
  /** What it is about, in familiar words: an order, a quote, an invoice, the kind of a mail. */
  about: z.string(),
  /** The organisation, or the addressee of a mail. */
  who: z.string(),
  problem: z.string(),
  since: Instant,
  /** Who deals with it; null for nobody. The name alone is null when that person has left. */
  taken_by_id: z.uuid().nullable(),
  taken_by: z.string().nullable(),
  taken_at: Instant.nullable(),
  taken_by_me: z.boolean(),
  /** Who last asked for another attempt. */
  tried_by: z.string().nullable(),
  tried_at: Instant.nullable(),
  /** Null while it is open. `closed_by` is null when it closed without anybody's action. */
  closed_at: Instant.nullable(),
  closed_by: z.string().nullable(),
  resolution: z.string(),
});
export type ActionItem = z.infer<typeof ActionItem>;

export const actionList = listOf(ActionItem, {
  sorts: ["since", "closed_at", "who"],
  named: {},
  searched: ["about", "who", "problem", "resolution"],
});
export type ActionSort = SortOf<typeof actionList>;

export const ActionQuery = actionList.query.extend({
  queue: ActionQueueName,
  /** Whether to list what waits or what has been dealt with. */
  state: z.enum(["open", "closed"], "Please choose open or closed").default("open"),
});
export type ActionQuery = ListQuery<ActionSort> & Pick<z.output<typeof ActionQuery>, "queue" | "state">;

export const ActionDetails = z.object({
  item: ActionItem,
  facts: z.array(z.object({ name: z.string(), value: z.string(), isInstant: z.boolean() })),
  /** Links to continue from: the customer's panel, the lead's, the order with its payment attempts. */
  customer: z.object({ email: z.string(), organization_name: z.string() }).nullable(),
  lead_id: z.uuid().nullable(),
  order: Payment.nullable(),
  /** Why the software can't be asked to try again; null where it can, or where there is nothing to try. */
  no_retry_because: z.string().nullable(),
});
export type ActionDetails = z.infer<typeof ActionDetails>;

const QueueCount = z.object({
  queue: ActionQueueName,
  open: counted.total,
  openIsCapped: counted.totalIsCapped,
  oldest: Instant.nullable(),
});

const ofItem = z.object({ id: z.uuid() });

export const actionOperations = {
  "admin/actions": operation({
    method: "get",
    summary: `One queue of what waits for somebody, or with state=closed what is done with, newest first. ${actionList.summary}`,
    input: ActionQuery,
    answer: z.object({ items: z.array(ActionItem), ...listPage }),
  }),
  "admin/actions/queues": operation({
    method: "get",
    summary: "How much is open in each queue, up to 10,000, and since when the oldest waits",
    input: z.object({}),
    answer: z.object({ queues: z.array(QueueCount) }),
  }),
  "admin/actions/item": operation({
    method: "get",
    summary: "One entry of a queue, with what it is about and what can be done",
    input: ofItem,
    answer: ActionDetails,
  }),
  "admin/actions/take": operation({
    method: "post",
    summary:
      "Say that one deals with an entry. `from` is who has it, as it was read: 409 with their name when somebody else has taken it meanwhile",
    input: ofItem.extend({ from: z.uuid().nullable() }),
    answer: Message,
  }),
  "admin/actions/release": operation({
    method: "post",
    summary: "Give back an entry that one has taken",
    input: ofItem,
    answer: Message,
  }),
  "admin/actions/resolve": operation({
    method: "post",
    summary:
      "Close an entry with a reason, which is kept. 409 with who did, or has taken it, when that is somebody else",
    input: ofItem.extend({
      reason: line(limits.actionReasonLengthMax, "Please say in a line what you found or did"),
    }),
    answer: Message,
  }),
  "admin/actions/retry": operation({
    method: "post",
    summary:
      "Have it tried once more: send the mail, make the document, ask the gateway. 409 where that can't help, or was asked for a moment ago",
    input: ofItem,
    answer: Message,
  }),
};
