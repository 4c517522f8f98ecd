import { z } from "zod";
import { Message, Rupees } from "./fields.ts";
import { operation } from "./operation.ts";

/** A write-off that waits for a second person. */
export const WriteOffRequest = z.object({
  id: z.uuid(),
  amount: Rupees,
  reason: z.string(),
  asked_by: z.string(),
  /** Whether the reader may agree to it. */
  may_agree: z.boolean(),
});
export type WriteOffRequest = z.infer<typeof WriteOffRequest>;

export const writeOffOperations = {
  "admin/write-offs/agree": operation({
    method: "post",
    summary: "Agree to a write-off that somebody else has asked for. 409 with why when that is not possible any more",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
  "admin/write-offs/decline": operation({
    method: "post",
    summary: "Refuse a write-off that waits for a second person, or withdraw one's own",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
};
