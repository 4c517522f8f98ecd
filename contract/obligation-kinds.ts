import { z } from "zod";
import { entityClassNames } from "./entity-classes.ts";
import { Day, FreeText, line } from "./fields.ts";
import { incidentTypeNumbers, type IncidentType } from "./incident-types.ts";
import { limits } from "./limits.ts";
import { type Confidence, confidences } from "./obligation-words.ts";
import { factKindNames, timeFacts } from "./regulator-facts.ts";

const text = (required: string) => line(limits.obligationLineLengthMax, required);
const Anchor = z.enum(timeFacts as [(typeof timeFacts)[number], ...typeof timeFacts]);

/**
 * relative: this many minutes after the earliest of its anchors. immediate: without delay, with no number given.
 * calendar: this many days after the end of each of these months, whatever happens.
 */
export const Deadline = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("relative"),
    minutes: z.number("Please enter a number").int().min(1).max(limits.obligationMinutesMax),
    anchors: z.array(Anchor).min(1, "Please choose what starts the clock"),
  }),
  z.object({ kind: z.literal("immediate"), anchors: z.array(Anchor).min(1, "Please choose what starts the clock") }),
  z.object({
    kind: z.literal("calendar"),
    afterMonths: z.array(z.number().int().min(1).max(12)).min(1, "Please choose the months"),
    /** Null where the source gives none. */
    days: z.number("Please enter a number").int().min(0).max(366).nullable(),
  }),
]);
export type Deadline = z.infer<typeof Deadline>;

/** A fact that must be known about the incident before the obligation applies. */
export const Requirement = z.discriminatedUnion("fact", [
  z.object({
    fact: z.literal("types"),
    /** Any of the types in an array, any of the twenty with "listed", none of them with "none". */
    any: z.union([
      z.literal("listed"),
      z.literal("none"),
      z.array(z.number().refine((each): each is IncidentType => incidentTypeNumbers.includes(each as IncidentType))),
    ]),
  }),
  z.object({ fact: z.enum(["personal data", "material"]), is: z.boolean() }),
  z.object({ fact: z.enum(["severity", "origin"]), any: z.array(line(20)).min(1) }),
]);
export type Requirement = z.infer<typeof Requirement>;

export { type Confidence, confidences } from "./obligation-words.ts";

export const ObligationWords = z.object({
  /** Whether customers see it. */
  on: z.boolean(),
  instrument: text("Please enter the instrument"),
  paragraph: text("Please enter the paragraph"),
  title: text("Please enter a title"),
  /** Any of these classes is bound. */
  classes: z.array(z.enum(entityClassNames)).min(1, "Please choose who is bound"),
  /** Any of these classes is exempt, because another regulator covers it. */
  exceptClasses: z.array(z.enum(entityClassNames)),
  requires: z.array(Requirement).max(5),
  deadline: Deadline,
  recipient: text("Please enter the recipient"),
  /** The fields of the filing, in the order of the form. */
  form: z.array(z.object({ label: text("Please name the field"), fact: z.enum(factKindNames).nullable() })).max(30),
  /** Whether the order is that of the form itself; otherwise we have not seen the form, and the order is ours. */
  formSeen: z.boolean(),
  /** The fact that a filing establishes, for the clocks that start from it; null for none. */
  filingIs: z.literal("reported to sebi").nullable(),
  validFrom: Day.nullable(),
  validTo: Day.nullable(),
  confidence: z.enum(Object.keys(confidences) as [Confidence, ...Confidence[]]),
  source: text("Please say where it stands"),
  /** A note for whoever reads the obligation. */
  note: z.union([z.literal(""), FreeText]),
});
export type ObligationWords = z.infer<typeof ObligationWords>;

/** An obligation in force: as shipped (version 0), or as an administrator last wrote it. */
export interface Obligation extends ObligationWords {
  key: string;
  version: number;
}
