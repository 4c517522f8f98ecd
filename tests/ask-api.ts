import { pathOf } from "../contract/operation.ts";
import { type OperationName, operations } from "../contract/operations.ts";

/** Calls an operation over HTTP, or any other address under /api by POST; `body` may be anything, also what is no JSON. */
export function askApi(
  url: string,
  operation: string,
  body: unknown,
  token: string | null | undefined,
  headers: Record<string, string> = {},
): Promise<Response> {
  const isGet = operation in operations && operations[operation as OperationName].method === "get";
  const path = isGet ? pathOf("get", operation, (body ?? {}) as Record<string, unknown>) : operation;
  return fetch(`${url}/api/${path}`, {
    method: isGet ? "GET" : "POST",
    headers: {
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
      ...(!isGet && { "content-type": "application/json" }),
      ...headers,
    },
    ...(!isGet && { body: typeof body === "string" ? body : JSON.stringify(body ?? {}) }),
  });
}
