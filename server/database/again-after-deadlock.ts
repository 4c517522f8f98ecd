import { causesOf } from "../failures/outage.ts";

const triesMax = 4;

/**
 * Retries an act that PostgreSQL rolled back because of a deadlock. The act must be one single transaction, so that
 * nothing of the failed try remains.
 */
export async function againAfterDeadlock<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      // oxlint-disable-next-line no-await-in-loop -- the tries follow one another
      return await act();
    } catch (error) {
      if (tries === triesMax || !causesOf(error).some(({ code }) => code === "40P01")) throw error;
    }
}
