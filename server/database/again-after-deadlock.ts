import { causesOf } from "../failures/outage.ts";

const triesMax = 4;

/**
 * Does again what the database ended because it and others waited for each other: these have gone on by then. For what is all
 * in one transaction, of which nothing stands.
 */
export async function againAfterDeadlock<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      return await act();
    } catch (error) {
      if (tries === triesMax || !causesOf(error).some(({ code }) => code === "40P01")) throw error;
    }
}
