import { z } from "zod";
import { expect, it } from "vitest";
import { access } from "../../contract/access.ts";
import { SearchText } from "../../contract/fields.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { heavyGateOf } from "./heavy-operations.ts";
import { isList } from "./list-stream.ts";

const wide = (Object.keys(operations) as OperationName[]).filter((name) =>
  ["any", "customers"].includes(access[name].reach),
);

function shapeOf(schema: z.ZodType): [field: string, schema: z.ZodType][] {
  return schema instanceof z.ZodObject ? Object.entries(schema.shape) : [];
}
const unwrapped = (schema: z.ZodType) => (schema instanceof z.ZodOptional ? (schema.unwrap() as z.ZodType) : schema);

/** Compared for equality with an indexed column. */
const exact: readonly string[] = ["admin/audit subject"];

it("Each search beyond one's own organisation is heavy, whatever its field is called", () => {
  const searches = wide.flatMap((name) =>
    shapeOf(operations[name].input).flatMap(([field, schema]) => {
      const isSearch = unwrapped(schema) === SearchText && !exact.includes(`${name} ${field}`);
      return isSearch ? [{ name, given: { [field]: "zz" } }] : [];
    }),
  );
  expect(searches.length).toBeGreaterThan(30);
  expect(searches.filter(({ name, given }) => heavyGateOf(name, given, false) === null)).toEqual([]);
});

/** They read the operator's own few records, or count at most 10,000 rows of a queue. */
const small: readonly OperationName[] = [
  "admin/rates",
  "admin/reconcile/files",
  "admin/obligations",
  "admin/coverage/rules",
  "admin/service-levels",
  "admin/posts/words",
  "admin/settings/proofs",
  "admin/settings",
  "admin/leads/owners",
  "admin/actions/queues",
  "admin/system",
];

it("What sums up the records of many is heavy: what reads them and names none, unless these are few", () => {
  const period = new Set(["from", "to", "format"]);
  const sums = wide.filter((name) => {
    const { input, answer } = operations[name];
    const required = shapeOf(input).filter(([, schema]) => !schema.safeParse(undefined).success);
    const isChange = shapeOf(answer).some(([field]) => field === "message");
    const namesNone = input instanceof z.ZodObject && required.every(([field]) => period.has(field));
    return namesNone && !isChange && !isList(operations[name]);
  });
  expect(sums).toEqual(expect.arrayContaining(["admin/overview", "admin/register"]));
  const light = sums.filter((name) => heavyGateOf(name, {}, false) === null);
  expect(light.toSorted()).toEqual(small.toSorted());
});

it("Each whole list beyond it is heavy, and none of one's own", () => {
  const lists = wide.filter((name) => isList(operations[name]));
  expect(lists.filter((name) => heavyGateOf(name, {}, true) === null)).toEqual([]);
  expect(heavyGateOf("user/get-estimation", { search: "zz" }, true)).toBeNull();
  expect(heavyGateOf("partner/audit", { search: "zz" }, false)).toBe("heavy");
});

it("What changes something is never heavy, whatever is sent with it", () => {
  expect(heavyGateOf("admin/suspend", { search: "zz" }, false)).toBeNull();
});
