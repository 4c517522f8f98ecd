import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import type { Hono } from "hono";
import { html } from "hono/html";
import { access, rolesFor } from "../../contract/access.ts";
import { brand } from "../../contract/brand.ts";
import { errorStatuses } from "../../contract/errors.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { standAlonePage } from "./stand-alone-page.ts";

const names = Object.keys(operations) as OperationName[];

/** The OpenAPI document at /api/openapi.json and a page to browse it at /api/docs, both from the contract. */
export function mountDocs(api: Hono): void {
  const document = describe();
  api.get("/openapi.json", (context) => context.json(document));
  api.get("/docs", (context) => standAlonePage(context, { title: `${brand.name} API`, body: page() }));
}

function describe() {
  const described = new OpenAPIHono();
  const registry = described.openAPIRegistry;
  registry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer", bearerFormat: "JWT" });
  const failed = {
    description: `Failed: one of ${statuses}`,
    ...json(z.object({ error: z.string(), code: z.string(), fields: z.record(z.string(), z.string()).optional() })),
  };
  for (const name of names) {
    const { method, summary, input, answer, status } = operations[name];
    registry.registerPath(
      createRoute({
        method,
        path: `/api/${name}`,
        summary,
        description: `Callers: ${callersOf(name)}.`,
        tags: [groupOf(name)],
        ...(access[name].callers !== "anyone" && { security: [{ bearer: [] }] }),
        request: method === "post" ? { body: { ...json(input), required: true } } : parameters(name, input),
        responses: { [status]: { description: "Done", ...json(answer) }, default: failed },
      }),
    );
  }
  return described.getOpenAPI31Document({ openapi: "3.1.0", info: { title: `${brand.name} API`, version: "1" } });
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
    <summary><strong>${method.toUpperCase()} /api/${name}</strong> – ${summary}</summary>
    <p class="muted">Callers: ${callersOf(name)}</p>
    <h3>Takes</h3>
    <pre>${schemaText(input, "input")}</pre>
    <h3>Answers ${status}</h3>
    <pre>${schemaText(answer, "output")}</pre>
  </details>`;
}

const statuses = [...new Set(Object.values(errorStatuses))].join(", ");
const json = (schema: z.ZodType) => ({ content: { "application/json": { schema } } });
/** A GET's fields stand in the path where its name has them in braces, else in the query. */
function parameters(name: OperationName, input: z.ZodType) {
  if (!(input instanceof z.ZodObject)) return {};
  const isInPath = (field: string) => name.includes(`{${field}}`);
  const fields = Object.entries(input.shape);
  return {
    params: z.object(Object.fromEntries(fields.filter(([field]) => isInPath(field)))),
    query: z.object(Object.fromEntries(fields.filter(([field]) => !isInPath(field)))),
  };
}

const groupOf = (name: OperationName) => (name.includes("/") ? (name.split("/")[0] ?? name) : "public");
const schemaText = (schema: z.ZodType, io: "input" | "output") => {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: "any" });
  return JSON.stringify(described, null, 2);
};

function callersOf(name: OperationName): string {
  const { callers } = access[name];
  const words: Partial<Record<typeof callers, string>> = {
    anyone: "anyone, without a token",
    public: "a public token",
    publicOrSession: "a public token or any session",
    session: "any session",
  };
  return words[callers] ?? rolesFor(name).join(", ");
}
