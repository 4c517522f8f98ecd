import type { Logger } from "pino";

/** How many rows are read at once. */
export const pageOfJob = 100;

/** A run ends before the queue takes it for dead. */
export const runMs = 40_000;

type Read<Row> = (after: Row | undefined) => Promise<Row[]>;
type Act<Row> = (row: Row) => Promise<unknown>;

/**
 * Processes every row, page by page and one after the other, so that a run exhausts neither memory nor the pool. A row
 * that fails is logged and does not stop the others; the next run tries it again.
 * @param read returns at most `pageOfJob` rows that follow the given one
 */
export async function doEach<Row>(
  services: { log: Logger },
  failure: string,
  read: Read<Row>,
  act: Act<Row>,
): Promise<void> {
  await doEachUntil(Infinity, services, failure, read, act);
}

/**
 * The same within the time of one run. Returns the row after which another run has to continue; undefined if none is
 * left.
 */
export const doEachOfRun = <Row>(services: { log: Logger }, failure: string, read: Read<Row>, act: Act<Row>) =>
  doEachUntil(performance.now() + runMs, services, failure, read, act);

/** The same for few rows, which the caller has read already. */
export async function doEachOf<Row>(
  { log }: { log: Logger },
  failure: string,
  rows: readonly Row[],
  act: Act<Row>,
): Promise<void> {
  for (const row of rows) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await act(row);
    } catch (error) {
      log.warn({ err: error, row: idsOf(row) }, failure);
    }
  }
}

async function doEachUntil<Row>(
  stopAt: number,
  services: { log: Logger },
  failure: string,
  read: Read<Row>,
  act: Act<Row>,
): Promise<Row | undefined> {
  let last: Row | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const rows = await read(last);
    // oxlint-disable-next-line no-await-in-loop
    await doEachOf(services, failure, rows, act);
    last = rows.at(-1);
    if (rows.length < pageOfJob) return undefined;
    if (performance.now() > stopAt) return last;
  }
}

/** Identifies a row in the log by its ids and those of its nested objects, without personal data. */
function idsOf(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return undefined;
  const told = Object.entries(row).flatMap(([name, value]) => {
    if (/^id$|Id$/.test(name)) return [[name, value]];
    const ids = idsOf(value);
    return typeof ids === "object" && ids !== null && Object.keys(ids).length > 0 ? [[name, ids]] : [];
  });
  return Object.fromEntries(told);
}
