import type { Context } from "hono";
import { AsyncLocalStorage } from "node:async_hooks";
import { z } from "zod";
import { listPage } from "../../contract/lists.ts";
import { recordsOf } from "../../contract/records.ts";
import type { Operation } from "../../contract/operation.ts";

/** What a caller accepts who wants a whole list: one record a line. */
export const jsonLines = "application/jsonl";

/** Whether an operation answers a list, page by page. */
export const isList = ({ answer }: Operation): boolean => answer instanceof z.ZodObject && "nextCursor" in answer.shape;

/** Whether a call asks for all records of a list at once. */
export const asksForAll = (context: Context, declared: Operation): boolean =>
  context.req.header("accept") === jsonLines && isList(declared);

/**
 * All records of a list, one a line, while they are read: a page is asked for when the one before was taken, so that
 * neither side ever holds more. What fails after the first page breaks the answer off.
 */
export function streamList(first: object, ask: (cursor: string) => Promise<object>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // Whoever takes the answer asks for its pages later, and elsewhere: what they log and trace belongs to the request.
  const withinRequest = AsyncLocalStorage.snapshot();
  let next: () => Promise<object> = async () => first;
  return new ReadableStream(
    {
      async pull(stream) {
        const page = await withinRequest(next);
        const lines = recordsOf(page).map((record) => `${JSON.stringify(record)}\n`);
        if (lines.length > 0) stream.enqueue(encoder.encode(lines.join("")));
        const { nextCursor } = z.object(listPage).parse(page);
        if (nextCursor === null) stream.close();
        else next = () => ask(nextCursor);
      },
    },
    { highWaterMark: 0 },
  );
}
