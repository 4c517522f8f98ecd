import type { Hono } from "hono";
import { html } from "hono/html";
import { z } from "zod";
import { access, rolesFor } from "../../contract/access.ts";
import { brand } from "../../contract/brand.ts";
import { errorStatuses } from "../../contract/errors.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { standAlonePage } from "./stand-alone-page.ts";

const names = Object.keys(operations) as OperationName[];

/** The OpenAPI document at /api/openapi.json and a page to browse it at /api/docs, both from the contract. */
export function mountDocs(api: Hono): void {
  let document: Promise<object> | null = null;
  // Loaded on first request: the code that describes operations costs more at start-up than the code that answers them.
  const described = () => import("./openapi-document.ts").then(({ describeApi }) => describeApi(statuses));
  api.get("/openapi.json", async (context) => context.json(await (document ??= described())));
  api.get("/docs", (context) => standAlonePage(context, { title: `${brand.name} API`, body: page() }));
}

function page() {
  const groups = [...new Set(names.map(groupOf))];
  return html`<h1>${brand.name} API</h1>
    <p>
      Base path <strong>/api</strong>, JSON in UTF-8. Send <strong>Authorization: Bearer</strong> with a token from
      generate-token, or with a session's. The whole description is in
      <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1). Failures answer
      <strong>{ error, code, fields }</strong> with one of ${statuses}.
    </p>
    ${groups.map(
      (group) =>
        html`<h2>${group}</h2>
          ${names.filter((name) => groupOf(name) === group).map(operationPage)}`,
    )}`;
}

function operationPage(name: OperationName) {
  const { method, summary, input, answer, status } = operations[name];
  return html`<details class="sheet">
    <summary><strong>${method.toUpperCase()} /api/${name}</strong> &ndash; ${summary}</summary>
    <p class="muted">Callers: ${callersOf(name)}</p>
    <h3>Takes</h3>
    <pre>${schemaText(input, "input")}</pre>
    <h3>Answers ${status}</h3>
    <pre>${schemaText(answer, "output")}</pre>
  </details>`;
}

const statuses = [...new Set(Object.values(errorStatuses))].join(", ");
export const groupOf = (name: OperationName) => (name.includes("/") ? (name.split("/")[0] ?? name) : "public");
const schemaText = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return JSON.stringify(described, null, 2);
};

export function callersOf(name: OperationName): string {
  const { callers } = access[name];
  const words: Partial<Record<typeof callers, string>> = {
    anyone: "anyone, without a token",
    public: "a public token",
    publicOrSession: "a public token or any session",
    session: "any session",
  };
  return words[callers] ?? rolesFor(name).join(", ");
}
