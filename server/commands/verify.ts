import { readFileSync } from "node:fs";
import { readAttachments, readSignature } from "../outside/documents/verify-pdf.ts";
import { verifyCertificate } from "../service-reports/verify-certificate.ts";
import { verifyAcceptance } from "../quotes/verify-acceptance.ts";
import { StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";

/**
 * `npm run verify -- FILE`: tells whether a document of ours is as it was made, without a database or a network; exit code 1
 * where it is not.
 */
runCommand(async () => {
  const [path, ...more] = process.argv.slice(2);
  if (!path || more.length > 0) throw new StartRefused("Usage: npm run verify -- FILE");
  const pdf = readDocument(path);
  const signature = await readSignature(pdf);
  const attached = readAttachments(pdf);
  const evidence = verifyAcceptance(attached) ?? verifyCertificate(attached);
  if (!signature && !evidence)
    throw new StartRefused(
      "This document has neither a signature nor evidence of what it says: nothing tells whether it was changed.",
    );
  const checks = [
    ...(signature ? [[`Unchanged since it was signed by ${signature.signer}`, signature.holds] as const] : []),
    ...(evidence?.checks ?? []),
  ];
  if (evidence) console.log(evidence.says);
  if (!signature)
    console.log("It has no signature: the facts in it could be changed together with their fingerprints.");
  for (const [what, holds] of checks) console.log(`${holds ? "yes" : "NO "}  ${what}`);
  if (checks.some(([, holds]) => !holds)) process.exitCode = 1;
});

function readDocument(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartRefused(`${path} can't be read: ${(error as Error).message}.`);
  }
}
