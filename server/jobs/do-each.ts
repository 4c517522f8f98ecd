import type { Logger } from "pino";

/** So many rows are read at once. */
export const pageOfJob = 100;

/** One run ends before the queue takes it for dead. */
export const runMs = 40_000;

type Read<Row> = (after: Row | undefined) => Promise<Row[]>;
type Act<Row> = (row: Row) => Promise<unknown>;

/**
 * Does something to every row, page by page and one after the other, so that a run takes neither the memory nor the pool. One
 * that fails is logged and holds up no other; the next run tries it again.
 * @param read at most `pageOfJob` rows that come after the given one
 */
export async function doEach<Row>(
  services: { log: Logger },
  failure: string,
  read: Read<Row>,
  act: Act<Row>,
): Promise<void> {
  await doEachUntil(Infinity, services, failure, read, act);
}

/** The same for as long as one run may take. Answers the row after which another is to go on; undefined where none is left. */
export const doEachOfRun = <Row>(services: { log: Logger }, failure: string, read: Read<Row>, act: Act<Row>) =>
  doEachUntil(performance.now() + runMs, services, failure, read, act);

async function doEachUntil<Row>(
  stopAt: number,
  { log }: { log: Logger },
  failure: string,
  read: Read<Row>,
  act: Act<Row>,
): Promise<Row | undefined> {
  let last: Row | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const rows = await read(last);
    for (const row of rows) {
      try {
        // oxlint-disable-next-line no-await-in-loop
        await act(row);
      } catch (error) {
        log.warn({ err: error, row: idsOf(row) }, failure);
      }
    }
    last = rows.at(-1);
    if (rows.length < pageOfJob) return undefined;
    if (performance.now() > stopAt) return last;
  }
}

/** What tells a row in the log: its ids and those of what it holds, and nothing of people. */
function idsOf(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  const told = Object.entries(row).flatMap(([name, value]) => {
    if (/^id$|Id$/.test(name)) return [[name, value]];
    const ids = idsOf(value);
    return typeof ids === "object" && ids !== null && Object.keys(ids).length > 0 ? [[name, ids]] : [];
  });
  return Object.fromEntries(told);
}
