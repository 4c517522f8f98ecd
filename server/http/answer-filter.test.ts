import { expect, it } from "vitest";
import { z } from "zod";
import { operations } from "../../contract/operations.ts";
import { answerFilter } from "./answer-filter.ts";

const Row = z.object({
  id: z.number().int(),
  by: z.object({ name: z.string() }).nullable(),
  note: z.string().optional(),
});
const Page = z.object({ rows: z.array(Row) });

it("Lets nothing out that the contract does not list, at any depth", () => {
  const secret = "not for anybody";
  const answer = {
    rows: [
      { id: 1, by: { name: "Asha", secret }, secret },
      { id: 2, by: null, note: "n" },
    ],
    secret,
  };
  expect(answerFilter(Page).parse(answer)).toEqual({
    rows: [
      { id: 1, by: { name: "Asha" } },
      { id: 2, by: null, note: "n" },
    ],
  });
});

it("Refuses what is of another kind, as the schema does", () => {
  expect(() => answerFilter(Page).parse({ rows: [{ id: "1", by: null }] })).toThrow(z.ZodError);
  expect(() => answerFilter(Page).parse({})).toThrow(z.ZodError);
});

it("Every operation's answer has a filter, made once", () => {
  for (const { answer } of Object.values<{ answer: z.ZodType }>(operations)) {
    expect(z.compile(answer, { strict: true })).toBeDefined();
    expect(answerFilter(answer)).toBe(answerFilter(answer));
  }
});
