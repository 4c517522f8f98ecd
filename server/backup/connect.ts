import { Client } from "pg";
import { noticesVanished } from "../database/pool.ts";
import { StartRefused } from "../settings/env.ts";

/** A single connection without a time limit for queries. @throws StartRefused */
export async function connect(url: string, name: "backup" | "restore"): Promise<Client> {
  const client = new Client({
    connectionString: url,
    application_name: name,
    connectionTimeoutMillis: 5000,
    ...noticesVanished,
  });
  // A broken connection fails its query; without a listener it would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    throw new StartRefused(`The database can't be reached: ${(error as Error).message || "no answer"}.`);
  }
}
