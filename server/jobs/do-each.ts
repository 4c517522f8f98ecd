import type { Logger } from "pino";
import type { Jobs } from "./jobs.ts";

/** How many rows are read at once. */
export const pageOfJob = 100;

/** A run ends before the queue takes it for dead. */
const runMs = 40_000;

interface Running {
  log: Logger;
  jobs: Pick<Jobs, "mustEnd">;
}

/** Whether a run has to end: its time is over, or the product stops, which would cut it off. */
export function endOfRun({ jobs }: Pick<Running, "jobs">, milliseconds = runMs): () => boolean {
  const until = performance.now() + milliseconds;
  return () => jobs.mustEnd() || performance.now() > until;
}

type Read<Row> = (after: Row | undefined) => Promise<Row[]>;
type Act<Row> = (row: Row) => Promise<unknown>;

/**
 * Processes every row, page by page and one after the other, so that a run exhausts neither memory nor the pool. A row
 * that fails is logged and does not stop the others; the next run tries it again.
 * @param read returns at most `pageOfJob` rows that follow the given one
 * @throws Error when the product stops meanwhile, so that the queue does the rest at the next start
 */
export async function doEach<Row>(services: Running, failure: string, read: Read<Row>, act: Act<Row>): Promise<void> {
  const left = await doEachUntil(services.jobs.mustEnd, services, failure, read, act);
  if (left) throw new Error("the product stopped: the rest is done once it runs again");
}

/**
 * The same within the time of one run. Returns the row after which another run has to continue; undefined if none is
 * left.
 */
export const doEachOfRun = <Row>(services: Running, failure: string, read: Read<Row>, act: Act<Row>) =>
  doEachUntil(endOfRun(services), services, failure, read, act);

/** The same for few rows, which the caller has read already. */
export async function doEachOf<Row>(
  services: Pick<Running, "log">,
  failure: string,
  rows: readonly Row[],
  act: Act<Row>,
): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const row of rows) await doOrNote(services, failure, row, act);
}

/** Returns the row after which `isOver` ended the run; undefined if no row is left. */
async function doEachUntil<Row>(
  isOver: () => boolean,
  services: Running,
  failure: string,
  read: Read<Row>,
  act: Act<Row>,
): Promise<Row | undefined> {
  let last: Row | undefined;
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const rows = await read(last);
    for (const row of rows) {
      // oxlint-disable-next-line no-await-in-loop
      await doOrNote(services, failure, row, act);
      if (isOver()) return row;
    }
    last = rows.at(-1);
    if (rows.length < pageOfJob) return undefined;
  }
}

async function doOrNote<Row>({ log }: Pick<Running, "log">, failure: string, row: Row, act: Act<Row>): Promise<void> {
  try {
    await act(row);
  } catch (error) {
    log.warn({ err: error, row: idsOf(row) }, failure);
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
