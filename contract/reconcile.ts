import { z } from "zod";
import { CsvFile, csvBodyBytesMax } from "./csv-file.ts";
import { Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { type FindingKind, findingKinds } from "./finding-kinds.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";
import { SignedRupees } from "./receivables.ts";

const Finding = z.object({
  id: z.uuid(),
  kind: z.enum(Object.keys(findingKinds) as [FindingKind, ...FindingKind[]]),
  /** The order, or the gateway's payment where we know no order. */
  about: z.string(),
  /** The organisation; empty where it is not known. */
  who: z.string(),
  order_id: z.uuid().nullable(),
  says: z.string(),
  found_at: Instant,
  /** Null while it is open. `resolved_by` is null when it was resolved without anybody's action. */
  resolved_at: Instant.nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string(),
});
export type Finding = z.infer<typeof Finding>;

export const findingList = listOf(Finding, {
  sorts: ["found_at"],
  named: {},
  searched: ["about", "who", "says", "resolution"],
});

const FindingQuery = findingList.query.extend({
  state: z.enum(["open", "resolved"], "Please choose open or resolved").default("open"),
});
export type FindingQuery = ListQuery<SortOf<typeof findingList>> & Pick<z.output<typeof FindingQuery>, "state">;

const Sums = z.object({
  payments: z.number().int(),
  refunds: z.number().int(),
  paid: SignedRupees,
  refunded: SignedRupees,
  /** Neither payment nor refund, such as a chargeback. */
  other: SignedRupees,
  fees: SignedRupees,
  /** Taxes on the fees. */
  taxes: SignedRupees,
  net: SignedRupees,
});
export type SettlementSums = z.infer<typeof Sums>;

const SettlementFile = z.object({
  id: z.uuid(),
  name: z.string(),
  uploaded_at: Instant,
  uploaded_by: z.string(),
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  sums: Sums,
});
export type SettlementFile = z.infer<typeof SettlementFile>;

export const SettlementPreview = z.object({
  note: z.string().nullable(),
  rows: z.number().int(),
  /** Rows that an earlier file already contained. */
  known: z.number().int(),
  matched: z.number().int(),
  sums: Sums,
  findings: z.number().int(),
  /** The first `contentLimits.previewRows`. */
  found: z.array(z.object({ line: z.number().int().nullable(), kind: z.string(), says: z.string() })),
  errors: z.number().int(),
  wrong: z.array(z.object({ line: z.number().int(), error: z.string() })),
});
export type SettlementPreview = z.infer<typeof SettlementPreview>;

export const reconcileOperations = {
  "admin/reconcile": operation({
    method: "get",
    summary: `What differs between our books and the gateway's, or with state=resolved what was dealt with. ${findingList.summary}`,
    input: FindingQuery,
    answer: z.object({ findings: z.array(Finding), ...listPage }),
  }),
  "admin/reconcile/files": operation({
    method: "get",
    summary: "The newest settlement files that were imported, with their sums, fees and taxes on fees",
    input: z.object({}),
    answer: z.object({ files: z.array(SettlementFile) }),
  }),
  "admin/reconcile/preview": operation({
    method: "post",
    summary: "What a settlement file of the gateway says, what differs, and what is wrong in which of its lines",
    input: z.object({ file: CsvFile }),
    answer: SettlementPreview,
    bodyBytesMax: csvBodyBytesMax,
  }),
  "admin/reconcile/import": operation({
    method: "post",
    summary:
      "Import a settlement file as a whole. The same file again, and rows that are there already, change nothing",
    input: z.object({ file: CsvFile, name: line(limits.settlementNameLengthMax, "Please name the file") }),
    answer: Message,
    bodyBytesMax: csvBodyBytesMax,
  }),
  "admin/reconcile/resolve": operation({
    method: "post",
    summary: "Close what differs with a reason. 409 with who was faster",
    input: z.object({
      id: z.uuid(),
      reason: line(limits.actionReasonLengthMax, "Please say in a line what you found or did"),
    }),
    answer: Message,
  }),
};
