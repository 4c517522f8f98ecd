import { expect, it } from "vitest";
import { limits } from "../contract/limits.ts";
import { emptyFunctions, leanManifest, replaceOnce } from "../scripts/lean-router.ts";
import { writeValues } from "../scripts/written-values.ts";

it("What the site never uses of its router is emptied, and says so where it is used all the same", () => {
  const code =
    "function outer() { async function submit(form) { await fetch(form); } return submit; }\nfunction asked() { return 1; }";
  expect(emptyFunctions(code, { submit: "refused", asked: "no" })).toBe(
    "function outer() { async function submit(form) { throw Error(`left out by lean-router.ts`) } return submit; }\nfunction asked() { return false }",
  );
});

it("A router that has the function no more, or twice, ends the build", () => {
  expect(() => emptyFunctions("function other() {}", { submit: "refused" })).toThrow("no single submit any more");
  const twice = "function a() { function submit() {} } function b() { function submit() {} }";
  expect(() => emptyFunctions(twice, { submit: "refused" })).toThrow("no single submit any more");
  expect(replaceOnce("a(); b();", "b();", "c();")).toBe("a(); c();");
  for (const code of ["a();", "b(); b();"]) expect(() => replaceOnce(code, "b();", "c();")).toThrow("no single b();");
});

it("The list of routes names what a route brings once: not where each page, or a route above it, brings it", () => {
  const route = (parentId: string | null, ...imports: string[]) => ({ ...(parentId && { parentId }), imports });
  const list = (...routes: ReturnType<typeof route>[]) => {
    const [root, layout, home, login] = routes;
    return `window.list=${JSON.stringify({ entry: { imports: ["a"] }, routes: { root, layout, home, login } })};`;
  };
  expect(
    leanManifest(
      list(route(null, "a", "b"), route("root", "a", "c"), route("layout", "b", "c", "d"), route("root", "c")),
    ),
  ).toBe(list(route(null, "b"), route("root", "c"), route("layout", "d"), route("root", "c")));
});

it("Texts and limits are written where they are used; other files and fields of the same name stay", () => {
  const code =
    'import { limits } from "../limits.ts";\nf(limits.otpDigits, own.limits.otpDigits, limits.noSuch, `${limits.otpMinutes}`)';
  expect(writeValues(code, "limits")).toBe(
    `import { limits } from "../limits.ts";\nf((${limits.otpDigits}), own.limits.otpDigits, limits.noSuch, \`\${(${limits.otpMinutes})}\`)`,
  );
  expect(writeValues('messages.loginError("x")', "messages")).toMatch(/^\(\(message\) ?=> ?`An error .*`\)\("x"\)$/);
});
