import { asc, eq } from "drizzle-orm";
import type { Readable } from "node:stream";
import { brand } from "../../contract/brand.ts";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { audit } from "../audit/audit.ts";
import { incidentFiles } from "../database/schema/index.ts";
import { findIncident, type IncidentScope } from "../incidents/find-incident.ts";
import { readRoom } from "../incidents/read-room.ts";
import { draftTexts } from "../obligations/draft.ts";
import { readIncidentObligations } from "../obligations/incident-state.ts";
import { writtenInIndia } from "../obligations/written-in-india.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { nameInZip, writeZip } from "../zip/write-zip.ts";
import { tablesOf } from "./dossier-tables.ts";
import { timelinePaper } from "./timeline-paper.ts";
import { sumsName } from "./verify-dossier.ts";

/** A document made here, or an attached file, which is read from the store only when it is added. */
type Entry = { name: string; sha256: string } & ({ bytes: Uint8Array } | { file: string });

/**
 * Everything about an incident that its reader may know, as a ZIP. The SHA-256 of its list of entries goes into the
 * audit log before the first byte is sent.
 * @throws Failure not_found
 */
export async function openDossier(services: Services, scope: IncidentScope, id: string): Promise<Readable> {
  const room = await readRoom(services, scope, id);
  const entries = [...(await collectWritten(services, scope, room)), ...(await collectAttached(services, id))];
  const sums = entries.map(({ sha256, name }) => `${sha256}  ${name}\n`).join("");
  await audit(services.database, scope.actor.personId, "make dossier", `incident:${id}`, {
    files: entries.length,
    sha256: sha256Of(Buffer.from(sums)),
  });
  return writeZip(async (add) => {
    for (const entry of entries) {
      // oxlint-disable-next-line no-await-in-loop -- one at a time, as each is held in memory
      const bytes = "bytes" in entry ? entry.bytes : await services.files.read(entry.file);
      // oxlint-disable-next-line no-await-in-loop -- the same; what people attach is mostly compressed already
      await add(entry.name, [bytes], "bytes" in entry);
    }
    await add(sumsName, [sums]);
  });
}

async function collectWritten(services: Services, scope: IncidentScope, room: IncidentRoom): Promise<Entry[]> {
  const obligations = await readIncidentObligations(services, scope, room.id);
  const now = services.now();
  const { cin } = await readSeller(services.database);
  const pdf = await services.documents.render("dossier", timelinePaper(room, obligations.organizationName, now, cin));
  const texts = { ...tablesOf(room, obligations), ...(await readDrafts(services, scope, room.id)) };
  return [
    written("README.txt", readme(room, obligations.organizationName, now)),
    { name: "timeline.pdf", sha256: sha256Of(pdf), bytes: pdf },
    ...Object.entries(texts).map(([name, text]) => written(name, text)),
  ];
}

const written = (name: string, text: string): Entry => {
  const bytes = Buffer.from(text);
  return { name, sha256: sha256Of(bytes), bytes };
};

/** Drafts as they are now, and as they were when filed; a partner may not read them. */
async function readDrafts(
  { database, now }: Services,
  scope: IncidentScope,
  id: string,
): Promise<Record<string, string>> {
  if (scope.reach === "customers") return {};
  const { drafts, filed } = await draftTexts(database, await findIncident(database, scope, id), now());
  return Object.fromEntries([
    ...drafts.map(({ key, text }) => [`drafts/${key}.txt`, text]),
    ...filed.map(({ key, text }, index) => [`filed/${numbered(index)}-${key}.txt`, text]),
  ]);
}

async function collectAttached({ database }: Services, id: string): Promise<Entry[]> {
  const files = await database
    .select({
      name: incidentFiles.name,
      type: incidentFiles.type,
      file: incidentFiles.file,
      sha256: incidentFiles.sha256,
    })
    .from(incidentFiles)
    .where(eq(incidentFiles.incidentId, id))
    .orderBy(asc(incidentFiles.createdAt), asc(incidentFiles.id));
  return files.map(({ name, type, file, sha256 }, index) => {
    const shown = nameInZip(`${name.replace(/\.[^.]*$/, "").slice(0, 80)}.${type}`);
    return { name: `files/${numbered(index)}-${shown}`, file, sha256 };
  });
}

const numbered = (index: number) => String(index + 1).padStart(2, "0");

const readme = ({ number, title }: IncidentRoom, customer: string, now: Date) =>
  `${number} ${title}
of ${customer}
Written by ${brand.name} on ${writtenInIndia(now)}

timeline.pdf, timeline.csv   What happened, in order. What was corrected stays, and says so.
clocks.csv                   The promises of the service, as computed when this was written.
broken-promises.csv          Promises that ran out, also those that a correction undid.
questions.csv, calls.csv     What was asked of the customer, and who was called in an attack.
findings.csv                 Findings of engines that belong to it, the newest 100.
regulators-clocks.csv        The clocks of regulators, by what was attested (attested-facts.csv).
filings.csv                  What the customer filed with regulators. The duty to report is the customer's.
drafts, filed                Drafts as they stand now, and as they stood when something was filed.
files                        What was attached.

Times in CSV files are in UTC, those in texts and in the PDF are India's.

${sumsName} has the SHA-256 of each file. To see whether one has changed, unpack everything and run, in this folder,
  sha256sum --check ${sumsName}
or, where ${brand.name} runs, npm run verify -- FOLDER/${sumsName}, which also tells the fingerprint of the list itself: it
stands in the audit log beside who took this dossier, and when.
`;
