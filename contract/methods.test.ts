import { expect, it } from "vitest";
import { methodOf } from "./methods.ts";
import { type OperationName, operations } from "./operations.ts";

it.each(Object.keys(operations) as OperationName[])("%s is called by the method it declares", (name) => {
  expect(methodOf(name)).toBe(operations[name].method);
});
