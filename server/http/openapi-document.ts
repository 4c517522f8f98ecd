import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import { access } from "../../contract/access.ts";
import { brand } from "../../contract/brand.ts";
import { type Operation, placeOf } from "../../contract/operation.ts";
import { type OperationName, operations } from "../../contract/operations.ts";
import { callersOf, groupOf } from "./api-docs.ts";

/** The OpenAPI document of the contract's operations; `statuses` lists the failure statuses. */
export function describeApi(statuses: string): object {
  const described = new OpenAPIHono();
  const registry = described.openAPIRegistry;
  registry.registerComponent("securitySchemes", "bearer", { type: "http", scheme: "bearer", bearerFormat: "JWT" });
  const failed = {
    description: `Failed: one of ${statuses}`,
    ...json(z.object({ error: z.string(), code: z.string(), fields: z.record(z.string(), z.string()).optional() })),
  };
  for (const name of Object.keys(operations) as OperationName[]) {
    const { method, summary, input, answer, status, takes }: Operation = operations[name];
    const body = takes ? { content: { "application/octet-stream": { schema: file } } } : json(input);
    registry.registerPath(
      createRoute({
        method,
        path: `/api/${placeOf(method, name)}`,
        summary,
        description: `Callers: ${callersOf(name)}.`,
        tags: [groupOf(name)],
        ...(access[name].callers !== "anyone" && { security: [{ bearer: [] }] }),
        request: method !== "get" ? { body: { ...body, required: true } } : parameters(name, input),
        responses: { [status]: { description: "Done", ...json(answer) }, default: failed },
      }),
    );
  }
  return described.getOpenAPI31Document({ openapi: "3.1.0", info: { title: `${brand.name} API`, version: "1" } });
}

const file = z.string().meta({ format: "binary" });
const json = (schema: z.ZodType) => ({ content: { "application/json": { schema } } });

/** A GET's fields go into the path where the operation's name has them in braces, the rest into the query. */
function parameters(name: OperationName, input: z.ZodType) {
  if (!(input instanceof z.ZodObject)) return {};
  const isInPath = (field: string) => name.includes(`{${field}}`);
  const fields = Object.entries(input.shape);
  return {
    params: z.object(Object.fromEntries(fields.filter(([field]) => isInPath(field)))),
    query: z.object(Object.fromEntries(fields.filter(([field]) => !isInPath(field)))),
  };
}
