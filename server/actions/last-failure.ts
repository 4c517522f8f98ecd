import type { JobData } from "../jobs/job-data.ts";
import type { JobName } from "../jobs/jobs.ts";
import type { Services } from "../services.ts";

const withinMs = 2000;

/** Why the last job about this failed, if the job queue still knows; null after 2 s, as it may search many jobs. */
export async function lastFailure<Name extends JobName>(
  { heavyReads, log }: Services,
  name: Name,
  key: keyof JobData[Name] & string,
  id: string,
): Promise<string | null> {
  try {
    const { rows } = await heavyReads.until(AbortSignal.timeout(withinMs)).$client.query<{ reason: string | null }>(
      `select output->>'message' as reason from jobs.job
        where name = $1 and data->>$2 = $3 and output is not null order by created_on desc limit 1`,
      [name, key, id],
    );
    return rows[0]?.reason ?? null;
  } catch (error) {
    log.warn({ err: error, queue: name }, "the last failure could not be read");
    return null;
  }
}
