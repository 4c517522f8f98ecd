import type { Answer, OperationName } from "../contract/operations.ts";
import { failureOf, unreachable, withToken } from "./api.ts";

/** Sends a file as the body of an operation that takes one. @throws ApiError like `call` */
export const upload = <Name extends OperationName>(name: Name, file: Blob): Promise<Answer<Name>> =>
  withToken(name, async (token) => {
    const sent = fetch(`/api/${name}`, {
      method: "POST",
      credentials: "omit",
      headers: { ...(token && { Authorization: `Bearer ${token}` }), "Content-Type": "application/octet-stream" },
      body: file,
    });
    const answer = await sent.catch(() => {
      throw unreachable();
    });
    const body: unknown = await answer.json().catch(() => null);
    if (answer.ok) return body as Answer<Name>;
    throw failureOf(answer, body);
  });
