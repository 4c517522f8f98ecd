import { expect, test } from "vitest";
import { pathOf } from "./operation.ts";

test.each([
  ["get", "user/me", {}, "user/me"],
  ["get", "admin/getUserByAdmin", { role: "user", limit: 5 }, "admin/getUserByAdmin?role=user&limit=5"],
  ["get", "list", { search: "a&b=c", cursor: undefined }, "list?search=a%26b%3Dc"],
  ["get", "blogs/{idKey}", { idKey: "a-post" }, "blogs/a-post"],
  ["get", "blogs/{idKey}", { idKey: "../user/me?x=1", page: 2 }, "blogs/..%2Fuser%2Fme%3Fx%3D1?page=2"],
  ["post", "admin/engines/post", { kind: "iris" }, "admin/engines"],
  ["post", "blogs", { limit: 3 }, "blogs"],
] as const)("%s %s with %j is called at %s", (method, name, input, path) => {
  expect(pathOf(method, name, input)).toBe(path);
});
