import { expect, it, test } from "vitest";
import { z } from "zod";
import { type OperationName, operations } from "./operations.ts";

const awkward = [undefined, null, true, 7.5, -4, 1e9, "", "x", "bad@", "x".repeat(70_000), [], [{}], { a: 1 }];

it.each(Object.keys(operations) as OperationName[])("%s says in plain words what is wrong with its input", (name) => {
  const declared: z.ZodType = operations[name].input;
  // The refinements across fields come after the object whose fields are wanted here.
  const input = declared instanceof z.ZodPipe ? declared.in : declared;
  const shapes = input instanceof z.ZodDiscriminatedUnion ? input.options : [input];
  const fields = shapes.flatMap((shape) => Object.keys((shape as z.ZodObject).shape));
  const tried = [...awkward, ...fields.flatMap((field) => awkward.map((value) => ({ [field]: value })))];
  for (const value of tried)
    for (const { message } of declared.safeParse(value).error?.issues ?? []) {
      expect(message).toMatch(/^\p{Lu}/u);
      expect(message).not.toMatch(/expected|received|invalid input|invalid option|too (big|small)|unrecognized|[<>]=/i);
    }
});

test.each([
  [z.number().max(500), 501, "Please enter a number of 500 or less"],
  [z.number().min(1), 0, "Please enter a number of 1 or more"],
  [z.number().int(), 1.5, "Please enter a whole number"],
  [z.number(), "x", "Please enter a number"],
  [z.string(), undefined, "Please fill in this field"],
  [z.string().min(1), "", "Please fill in this field"],
  [z.string().max(3), "four", "Please use at most 3 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "Please choose at most 1"],
  [z.enum(["siem", "soar"]), "x", "Please choose one of: siem, soar"],
  [z.uuid(), "x", "This id is not known"],
  [z.string().regex(/x/), "y", "Please check this entry"],
] as const)("A fault without a sentence of its own gets one (%#)", (schema, value, sentence) => {
  expect(schema.safeParse(value).error?.issues[0]?.message).toBe(sentence);
});
