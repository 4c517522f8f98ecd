import { hasCluster } from "../database/cluster.ts";
import { openDatabase } from "../database/database.ts";
import { reachDatabase } from "../database/reach-database.ts";
import { resealBindings } from "../engines/reseal.ts";
import { sealingKeys } from "../protection/sealed-secret.ts";
import { readDataEnv, readEnv, StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";

/** `npm run engines:reseal`: encrypts the credentials of engines by the first key of ENGINES_KEY, also while the product runs. */
runCommand(async () => {
  const [settings, env] = [readEnv(), readDataEnv()];
  if (settings.engineKeys.length === 0)
    throw new StartRefused("ENGINES_KEY must be set: the key in use first, then the ones that are to be replaced.");
  if (!env.databaseUrl && !hasCluster(env.dataDir))
    throw new StartRefused(`There is no database in ${env.dataDir}; set DATA_DIR or DATABASE_URL as for the product.`);
  const { url, stop } = await reachDatabase(env);
  try {
    const database = openDatabase(url, { max: 1 });
    try {
      const { sealed, lost } = await resealBindings(database, sealingKeys(settings));
      console.log(`The credentials of ${sealed} engines are encrypted anew.`);
      if (lost === 0) return;
      console.error(`Those of ${lost} can't be read by any of these keys: enter them again in the product.`);
      process.exitCode = 1;
    } finally {
      await database.$client.end();
    }
  } finally {
    await stop();
  }
});
