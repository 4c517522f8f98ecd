import { z } from "zod";
import { FreeText, Instant } from "./fields.ts";
import { incidentTypeNumbers, type IncidentType } from "./incident-types.ts";
import { type FactKind, factKinds, type RegulatorFactKind } from "./regulator-fact-words.ts";

export * from "./regulator-fact-words.ts";

/** The value of one fact. An empty list of types attests that it is none of the twenty. */
export const FactValue = z.union([
  z.object({ at: Instant }),
  z.object({
    types: z
      .array(z.number().refine((each): each is IncidentType => incidentTypeNumbers.includes(each as IncidentType)))
      .max(incidentTypeNumbers.length),
  }),
  z.object({ yes: z.boolean() }),
  z.object({ choice: z.string().max(20) }),
  z.object({ words: FreeText }),
]);
export type FactValue = z.infer<typeof FactValue>;

/** Whether a value is one that this kind of fact can have. */
export function fits(kind: RegulatorFactKind, value: FactValue): boolean {
  const { of }: FactKind = factKinds[kind];
  if (of === "time") return "at" in value;
  if (of === "types") return "types" in value;
  if (of === "yes or no") return "yes" in value;
  if (of === "words") return "words" in value;
  return "choice" in value && Object.hasOwn(of, value.choice);
}
