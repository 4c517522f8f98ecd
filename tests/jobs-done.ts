import { expect } from "vitest";
import type { JobName } from "../server/jobs/jobs.ts";
import type { TestServer } from "./harness.ts";

/** Waits until no job of these queues is left, so that what has not been mailed by then never will be. */
export async function jobsDone({ services }: Pick<TestServer, "services">, ...names: JobName[]): Promise<void> {
  const text = "select count(*)::int as open from jobs.job where name = any($1) and state < 'completed'";
  await expect
    .poll(async () => (await services.database.$client.query<{ open: number }>(text, [names])).rows)
    .toEqual([{ open: 0 }]);
}
