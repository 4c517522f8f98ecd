import { Client } from "pg";
import { StartRefused } from "../settings/env.ts";

/** A connection of its own, without a time limit for queries. @throws StartRefused */
export async function connect(url: string, name: "backup" | "restore"): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: name, connectionTimeoutMillis: 5000 });
  // A connection that breaks fails the query it is at; without a listener it would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new StartRefused(`The database can't be reached: ${(error as Error).message || "no answer"}.`);
  }
}
