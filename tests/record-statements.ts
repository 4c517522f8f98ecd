import type { Pool, PoolClient } from "pg";

/** A statement as the driver got it; one with a name is planned once for all values. */
export interface Asked {
  name?: string;
  text: string;
  values: (string | number | Date | readonly string[] | null)[];
}
type Sent = Partial<Asked> | string;

/** Answers a function that records the reads of a pool's connections while `ask` runs, in transactions too. */
export function recordStatements(pool: Pool) {
  let recorded: Asked[] | null = null;
  const known = new WeakSet<PoolClient>();
  pool.on("acquire", (client) => {
    if (known.has(client)) return;
    known.add(client);
    const query = client.query.bind(client) as (sent: Sent, ...rest: unknown[]) => unknown;
    const recording = (sent: Sent, ...rest: unknown[]) => {
      const { text = "", values, ...named } = typeof sent === "string" ? { text: sent } : sent;
      const [given] = rest;
      if (/^\s*(select|with)\b/i.test(text))
        recorded?.push({ ...named, text, values: values ?? (Array.isArray(given) ? given : []) });
      return query(sent, ...rest);
    };
    client.query = recording as typeof client.query;
  });
  return async <Answer>(ask: () => Promise<Answer>): Promise<[answer: Answer, asked: Asked[]]> => {
    const asked: Asked[] = [];
    recorded = asked;
    try {
      return [await ask(), asked];
    } finally {
      recorded = null;
    }
  };
}
