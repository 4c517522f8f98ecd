import { pathOf, placeOf } from "../contract/operation.ts";
import { type OperationName, operations } from "../contract/operations.ts";

/** Calls an operation over HTTP, or any other address under /api by POST; `body` may be anything, even invalid JSON. */
export function askApi(
  url: string,
  operation: string,
  body: unknown,
  token: string | null | undefined,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const method = operation in operations ? operations[operation as OperationName].method : "post";
  const isGet = method === "get";
  const path = isGet ? pathOf(method, operation, (body ?? {}) as Record<string, unknown>) : placeOf(method, operation);
  return fetch(`${url}/api/${path}`, {
    method: method.toUpperCase(),
    headers: {
      ...(typeof token === "string" && { authorization: `Bearer ${token}` }),
      ...(!isGet && { "content-type": "application/json" }),
      ...headers,
    },
    signal,
    ...(!isGet && { body: typeof body === "string" ? body : JSON.stringify(body ?? {}) }),
  });
}
