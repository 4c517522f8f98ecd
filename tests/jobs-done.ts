import { expect } from "vitest";
import type { JobName } from "../server/jobs/jobs.ts";
import type { TestServer } from "./harness.ts";

/** Waits until these queues have no job left, after which they mail nothing more. */
export async function jobsDone({ services }: Pick<TestServer, "services">, ...names: JobName[]): Promise<void> {
  const text = "select count(*)::int as open from jobs.job where name = any($1) and state < 'completed'";
  await expect
    .poll(async () => (await services.database.$client.query<{ open: number }>(text, [names])).rows)
    .toEqual([{ open: 0 }]);
}
