import type { OperationName, Sent } from "../../contract/operations.ts";
import { failureOf, send, unreachable, withToken } from "../api.ts";

/**
 * Fetches a whole list and passes its records on in batches as they arrive.
 * @throws ApiError, also when the response breaks off
 */
export const callForAll = <Name extends OperationName>(
  name: Name,
  input: Sent<Name>,
  onRecords: (records: unknown[]) => void,
  signal: AbortSignal,
): Promise<void> =>
  withToken(name, async (token) => {
    const answer = await send(name, input, token, signal, { Accept: "application/jsonl" });
    if (!answer.ok || !answer.body) throw failureOf(answer, await answer.json().catch(() => null));
    let rest = "";
    try {
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
      // oxlint-disable-next-line no-await-in-loop -- the stream's pieces arrive one after the other
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
        const lines = (rest + piece.value).split("\n");
        rest = lines.pop() ?? "";
        onRecords(lines.map((line): unknown => JSON.parse(line)));
      }
      // By HTTP/1.0, in which some proxies ask, an answer that breaks off only ends early.
      if (rest) throw unreachable();
    } catch (error) {
      throw signal.aborted ? error : unreachable();
    }
  });
