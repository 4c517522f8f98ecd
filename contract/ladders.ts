import { z } from "zod";
import { Email, FreeText, FullName, Instant, line, Message, phone } from "./fields.ts";
import { incidentSeverities, incidentStateNames } from "./incident-states.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

/** A contact of the ladder, with the progress of calling them in one incident. */
export const LadderCallSchema = z.object({
  position: z.number().int(),
  name: z.string(),
  phone: z.string(),
  email: z.string(),
  due_at: Instant,
  /** waiting: not this contact's turn yet. queued: the mail is on its way. */
  mail: z.enum(["waiting", "queued", "sent", "failing", "none"]),
  mailed_at: Instant.nullable(),
  reached_at: Instant.nullable(),
  reached_by: z.enum(["telephone", "portal"]).nullable(),
  tried_at: Instant.nullable(),
});
export type LadderCall = z.infer<typeof LadderCallSchema>;

export const LadderContact = z.object({
  name: FullName,
  /** Their part in the incident: "Head of IT, at night". */
  says: z.union([z.literal(""), line(120)], "Please use one line of at most 120 characters"),
  phone: phone(limits.phoneLengthMin, "Please enter a phone number"),
  email: Email,
});
export type LadderContact = z.infer<typeof LadderContact>;
const Ladder = z.object({
  contacts: z.array(LadderContact).max(limits.ladderContactsMax, `Please keep to ${limits.ladderContactsMax} people`),
  /** The version that was read; 409 when somebody has changed it meanwhile. 0 before the first. */
  version: z.number().int().min(0).max(limits.versionMax),
});
export type Ladder = z.infer<typeof Ladder>;

const AttackReport = z.object({
  /** Chosen by the client: repeating the call opens one incident. */
  id: z.uuid(),
  what: FreeText,
  since: line(120, "Please say since when, as well as you know"),
  call: line(160, "Please say whom we call, with a number"),
});
export type AttackReport = z.output<typeof AttackReport>;

/** The contacts whom a customer wants called, and its reports of an attack. */
export const ladderOperations = {
  "user/under-attack": operation({
    method: "get",
    summary: "Whom to telephone at once, your ladder, and an attack that is being worked on",
    input: z.object({}),
    answer: z.object({
      ladder: Ladder,
      /**
       * The open incident that "We are under attack" opened, or the one it was merged into; reported at `opened_at`.
       */
      incident: z
        .object({
          id: z.uuid(),
          number: z.string(),
          title: z.string(),
          severity: z.enum(incidentSeverities),
          state: z.enum(incidentStateNames),
          opened_at: Instant,
        })
        .nullable(),
      calls: z.array(LadderCallSchema),
      /** Mail is not going out at present, so telephone. */
      mail_is_down: z.boolean(),
    }),
  }),
  "user/under-attack/post": operation({
    method: "post",
    summary: `Open a P1 and call the ladder; a repeated id, or another report within ${limits.attackOnceMinutes} minutes, opens no second one`,
    input: AttackReport,
    answer: Message.extend({ incident_id: z.uuid(), number: z.string() }),
    status: 201,
  }),
  "user/ladder": operation({
    method: "get",
    summary: "Whom we call in turn when something is on fire",
    input: z.object({}),
    answer: Ladder,
  }),
  "user/ladder/save": operation({
    method: "put",
    summary: "Change whom we call in turn; 409 when `version` is no longer current",
    input: Ladder,
    answer: Message,
  }),
  "admin/incidents/telephone": operation({
    method: "post",
    summary: "Note whether somebody of the ladder was reached by telephone, or that they were not after all",
    input: z.object({
      id: z.uuid(),
      position: z
        .number()
        .int()
        .min(0)
        .max(limits.ladderContactsMax - 1),
      reached: z.boolean(),
    }),
    answer: Message,
  }),
};
