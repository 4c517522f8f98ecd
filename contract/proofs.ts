import { z } from "zod";
import { isOpenable } from "./addresses.ts";
import { Day, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

/** A certificate that the operator itself holds, or a customer who may be named as a reference. */
const proofKinds = ["certificate", "reference"] as const;
export type ProofKind = (typeof proofKinds)[number];

const Link = z
  .string(messages.linkInvalid)
  .trim()
  .max(limits.proofLinkLengthMax, `Please use at most ${limits.proofLinkLengthMax} characters`)
  .refine(isOpenable, messages.linkInvalid);

export const NewProof = z.object({
  kind: z.enum(proofKinds, "Please choose certificate or reference"),
  /** "ISO/IEC 27001:2022", or the customer's name. */
  name: line(limits.proofNameLengthMax),
  /** The certifying body, or the person at the customer who is quoted. */
  issuer: line(limits.proofNameLengthMax),
  /** The certificate's number, or the customer's words. */
  statement: line(limits.proofStatementLengthMax),
  /** The last day in India on which it is shown; null for no end. */
  validUntil: Day.nullable(),
  link: Link.nullable(),
});
export type NewProof = z.infer<typeof NewProof>;

/** As visitors read it. */
export const ShownProof = NewProof.extend({ id: z.uuid() });
export type ShownProof = z.infer<typeof ShownProof>;

export const Proof = ShownProof.extend({
  /** Its last day has passed, so visitors no longer see it. */
  expired: z.boolean(),
  /** Counts changes: send it with a change to get 409 when somebody else has changed it meanwhile. */
  version: z.number().int(),
});
export type Proof = z.infer<typeof Proof>;

/** A proof and the version that was read: 409 when it has changed since. */
const Seen = z.object({ id: z.uuid(), version: z.number().int().min(1) });

export const proofOperations = {
  proofs: operation({
    method: "get",
    summary: "The operator's own certificates and references, in their order; none that has expired",
    input: z.object({}),
    answer: z.array(ShownProof),
  }),
  "admin/settings/proofs": operation({
    method: "get",
    summary: "All certificates and references in their order, those that have expired too",
    input: z.object({}),
    answer: z.object({ proofs: z.array(Proof) }),
  }),
  "admin/settings/proofs/add": operation({
    method: "post",
    summary: "Add a certificate or reference at the end; it is on the public site at once, unless it has expired",
    input: NewProof,
    answer: Message.extend({ id: z.uuid() }),
    status: 201,
  }),
  "admin/settings/proofs/change": operation({
    method: "post",
    summary: "Change a certificate or reference",
    input: NewProof.extend(Seen.shape),
    answer: Message,
  }),
  "admin/settings/proofs/remove": operation({
    method: "post",
    summary: "Remove a certificate or reference",
    input: Seen,
    answer: Message,
  }),
  "admin/settings/proofs/order": operation({
    method: "post",
    summary: "Put all of them into this order; 409 when there are others by now",
    input: z.object({ ids: z.array(z.uuid()).max(limits.proofsMax) }),
    answer: Message,
  }),
};
