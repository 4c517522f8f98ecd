import { z } from "zod";
import { Email, Instant, Message } from "./fields.ts";
import { type ListQuery, listOf, listPage, type SortOf } from "./lists.ts";
import { operation } from "./operation.ts";

export const DataRequestKind = z.enum(["export", "erasure"], "Please choose export or erasure");
export type DataRequestKind = z.infer<typeof DataRequestKind>;

/** removing: the records are erased, and the person's files are still being deleted. */
export const DataRequestState = z.enum(["waiting", "removing", "done", "refused"]);
export type DataRequestState = z.infer<typeof DataRequestState>;

/** A person's request about their data, and what became of it. */
export const DataRequest = z.object({
  id: z.uuid(),
  kind: DataRequestKind,
  /** Null once the person is erased. */
  email: z.string().nullable(),
  state: DataRequestState,
  /** The administrator who took up the request; null when they have left since. */
  asked_by: z.string().nullable(),
  asked_at: Instant,
  done_at: Instant.nullable(),
  refusal: z.string().nullable(),
  /** Until when the ZIP can be downloaded; null where there is none. */
  file_until: Instant.nullable(),
});
export type DataRequest = z.infer<typeof DataRequest>;

export const dataRequestList = listOf(DataRequest, {
  sorts: ["asked_at"],
  named: {},
  searched: ["email", "kind", "state"],
});
export type DataRequestQuery = ListQuery<SortOf<typeof dataRequestList>>;

const NewDataRequest = z
  .object({
    /** Chosen by the client: repeating the call does nothing twice. */
    id: z.uuid(),
    kind: DataRequestKind,
    email: Email,
    /** For an erasure: the e-mail address typed again, because it can't be undone. */
    confirm: z.string().trim().toLowerCase().max(200).optional(),
  })
  .superRefine(({ kind, email, confirm }, context) => {
    if (kind === "erasure" && confirm !== email)
      context.addIssue({ code: "custom", path: ["confirm"], message: "Please type the e-mail address of the person" });
  });
export type NewDataRequest = z.infer<typeof NewDataRequest>;

export const dataRequestOperations = {
  "admin/people/data-requests": operation({
    method: "get",
    summary: `Requests for a copy of somebody's data or for their erasure, newest first. ${dataRequestList.summary}`,
    input: dataRequestList.query,
    answer: z.object({ requests: z.array(DataRequest), ...listPage }),
  }),
  "admin/people/request-data": operation({
    method: "post",
    summary:
      "Have everything about the person with this e-mail put into a ZIP, or erased as far as the law allows; with an account or without",
    input: NewDataRequest,
    answer: Message,
    status: 201,
  }),
  "admin/people/data-file": operation({
    method: "post",
    summary: "A five-minute address of the ZIP that an export has made",
    input: z.object({ id: z.uuid() }),
    answer: z.object({ signedUrl: z.string() }),
  }),
};
