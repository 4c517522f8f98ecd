import { resealBindings } from "../engines/reseal.ts";
import { localKey } from "../protection/sealed-secret.ts";
import { readEnv, StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";
import { withDatabase } from "./with-database.ts";

/** `npm run engines:reseal`: encrypts the credentials of engines by the first key of ENGINES_KEY, also while the product runs. */
runCommand(async () => {
  const settings = readEnv();
  if (settings.engineKeys.length === 0)
    throw new StartRefused("ENGINES_KEY must be set: the key in use first, then the ones that are to be replaced.");
  await withDatabase(async (database) => {
    const { sealed, lost } = await resealBindings(database, [
      ...settings.engineKeys,
      // Of a product that had no ENGINES_KEY before, and now has a database of its own as well.
      localKey(settings.tokenSecret),
    ]);
    console.log(`The credentials of ${sealed} engines are encrypted anew.`);
    if (lost === 0) return;
    console.error(`Those of ${lost} can't be read by any of these keys: enter them again in the product.`);
    process.exitCode = 1;
  });
});
