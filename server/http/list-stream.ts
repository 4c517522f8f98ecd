import type { Context } from "hono";
import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { z } from "zod";
import { listPage } from "../../contract/lists.ts";
import { recordsOf } from "../../contract/records.ts";
import type { Operation } from "../../contract/operation.ts";

/** The Accept header of a caller that wants a whole list: one record per line. */
export const jsonLines = "application/jsonl";

/** Whether an operation returns a list in pages. */
export const isList = ({ answer }: Operation): boolean => answer instanceof z.ZodObject && "nextCursor" in answer.shape;

/** Whether a call asks for all records of a list at once. */
export const asksForAll = (context: Context, declared: Operation): boolean =>
  context.req.header("accept") === jsonLines && isList(declared);

/**
 * Streams all records of a list, one per line. The next page is read once the last was taken, so that neither side
 * holds more than one. An error after the first page aborts the response, within a record: by HTTP/1.0, in which some
 * proxies ask, an aborted response looks like a whole one.
 */
export function streamList(first: object, ask: (cursor: string) => Promise<object>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  // Later pages are read outside the request's async context, but their logs and traces belong to the request.
  const withinRequest = AsyncLocalStorage.snapshot();
  let next: () => Promise<object> = async () => first;
  return new ReadableStream(
    {
      async pull(stream) {
        const page = await withinRequest(next).catch(async (error: unknown) => {
          stream.enqueue(encoder.encode("{"));
          // Aborted at once, it would not be sent.
          await setImmediate();
          throw error;
        });
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
