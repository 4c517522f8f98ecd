import type { TestServer } from "./harness.ts";

/** Counts the statements that `work` sends to the database; a whole transaction counts as one. */
export async function countStatements({ services }: TestServer, work: () => Promise<unknown>): Promise<number> {
  const pool = services.database.$client;
  let count = 0;
  const note = () => void count++;
  pool.on("acquire", note);
  try {
    await work();
  } finally {
    pool.off("acquire", note);
  }
  return count;
}
