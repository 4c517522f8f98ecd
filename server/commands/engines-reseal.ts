import { resealBindings } from "../engines/reseal.ts";
import { localKey } from "../protection/sealed-secret.ts";
import { readEnv, StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";
import { withDatabase } from "./with-database.ts";

/**
 * `npm run engines:reseal`: re-encrypts engine credentials with the first of ENGINES_KEY, even while the product runs.
 */
runCommand(async () => {
  const settings = readEnv();
  if (settings.engineKeys.length === 0)
    throw new StartRefused("ENGINES_KEY must be set: the key in use first, then the ones that are to be replaced.");
  await withDatabase(async (database) => {
    const { sealed, lost } = await resealBindings(database, [
      ...settings.engineKeys,
      // For a product that had no ENGINES_KEY until now, and has since moved to a database of its own.
      localKey(settings.tokenSecret),
    ]);
    console.log(`The credentials of ${sealed} engines are encrypted anew.`);
    if (lost === 0) return;
    console.error(`Those of ${lost} can't be read by any of these keys: enter them again in the product.`);
    process.exitCode = 1;
  });
});
