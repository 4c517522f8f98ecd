import { parseArgs } from "node:util";
import { verifyChain } from "../audit/verify.ts";
import { StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";
import { withDatabase } from "./with-database.ts";

const usage = "Usage: npm run audit:verify -- [--noted NUMBER:SEAL]";

/** `npm run audit:verify`: checks the audit chain, whether or not the product is running; exit code 1 for a fault. */
runCommand(async () => {
  const noted = readNoted();
  await withDatabase(async (database) => {
    const { entries, waiting, last, fault } = await verifyChain(database, noted);
    if (fault) {
      const when = fault.at ? `, written at ${fault.at.toISOString()},` : "";
      console.error(`Entry ${fault.number}${when} ${fault.what}. The ${entries} entries before it are as sealed.`);
      process.exitCode = 1;
      return;
    }
    console.log(`${entries} entries are as sealed; ${waiting} wait to be sealed.`);
    if (last.number > 0)
      console.log(`Keep this elsewhere, to give it with --noted next time: ${last.number}:${last.hash}`);
  });
});

function readNoted() {
  let given;
  try {
    ({ noted: given } = parseArgs({ options: { noted: { type: "string" } } }).values);
  } catch (error) {
    throw new StartRefused(`${error instanceof Error ? error.message.split(". ")[0] : "Wrong options"}. ${usage}`);
  }
  if (given === undefined) return null;
  const [, number = "", hash = ""] = /^(\d{1,15}):([\da-f]{64})$/.exec(given) ?? [];
  if (!hash) throw new StartRefused(`--noted takes what an earlier run printed. ${usage}`);
  return { number: Number(number), hash };
}
