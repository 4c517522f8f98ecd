import { hasCluster } from "../database/cluster.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { readDataEnv, StartRefused } from "../settings/env.ts";

/** Works on the existing data, whether or not the product is running. @throws StartRefused without a database */
export async function withDatabase(act: (database: Database) => Promise<void>): Promise<void> {
  const env = readDataEnv();
  if (!env.databaseUrl && !hasCluster(env.dataDir))
    throw new StartRefused(`There is no database in ${env.dataDir}; set DATA_DIR or DATABASE_URL as for the product.`);
  const { url, stop } = await reachDatabase(env);
  try {
    const database = openDatabase(url, { max: 1 });
    try {
      await act(database);
    } finally {
      await database.$client.end();
    }
  } finally {
    await stop();
  }
}
