import { readFileSync } from "node:fs";
import { sumsName, verifyDossier } from "../dossiers/verify-dossier.ts";
import { readAttachments, readSignature } from "../outside/documents/verify-pdf.ts";
import { verifyCertificate } from "../service-reports/verify-certificate.ts";
import { verifyAcceptance } from "../quotes/verify-acceptance.ts";
import { StartRefused } from "../settings/env.ts";
import { runCommand } from "./run-command.ts";

/**
 * `npm run verify -- FILE`: checks that a document of ours, or an unpacked dossier by its list of hashes, is unchanged,
 * without a database or a network; exit code 1 if it is not.
 */
runCommand(async () => {
  const [path, ...more] = process.argv.slice(2);
  if (!path || more.length > 0) throw new StartRefused("Usage: npm run verify -- FILE");
  const file = readDocument(path);
  if (path.endsWith(sumsName)) tell(readDossierSums(path, file));
  else tell(await readPdf(file));
});

interface Verified {
  says: string[];
  checks: readonly (readonly [what: string, holds: boolean])[];
}

function tell({ says, checks }: Verified): void {
  for (const sentence of says) console.log(sentence);
  for (const [what, holds] of checks) console.log(`${holds ? "yes" : "NO "}  ${what}`);
  if (checks.some(([, holds]) => !holds)) process.exitCode = 1;
}

function readDossierSums(path: string, list: Uint8Array): Verified {
  const verified = verifyDossier(path, list);
  if (!verified) throw new StartRefused(`${path} is no list of SHA-256 as dossiers have it.`);
  return verified;
}

async function readPdf(pdf: Uint8Array): Promise<Verified> {
  const signature = await readSignature(pdf);
  const attached = readAttachments(pdf);
  const evidence = verifyAcceptance(attached) ?? verifyCertificate(attached);
  if (!signature && !evidence)
    throw new StartRefused(
      "This document has neither a signature nor evidence of what it says: nothing tells whether it was changed.",
    );
  return {
    says: [
      ...(evidence ? [evidence.says] : []),
      ...(signature ? [] : ["It has no signature: the facts in it could be changed together with their fingerprints."]),
    ],
    checks: [
      ...(signature ? [[`Unchanged since it was signed by ${signature.signer}`, signature.holds] as const] : []),
      ...(evidence?.checks ?? []),
    ],
  };
}

function readDocument(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new StartRefused(`${path} can't be read: ${(error as Error).message}.`);
  }
}
