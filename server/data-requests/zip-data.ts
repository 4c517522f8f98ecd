import type { Readable } from "node:stream";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import { isOutage } from "../failures/outage.ts";
import type { Services } from "../services.ts";
import { type AddEntry, nameInZip, writeZip } from "../zip/write-zip.ts";
import type { Collected, PersonData } from "./collect-data.ts";
import { type Counts, type Missing, pageOf } from "./data-page.ts";

/**
 * A ZIP of a person's data: the PDFs as far as they fit, `data.json` for machines, and `index.html` for people, which
 * lists what is missing. Streamed a few records at a time, whatever the size.
 */
export function zipData(
  services: Pick<Services, "files" | "log">,
  data: PersonData,
  documentBytesMax = 1024 ** 2 * limits.dataExportDocumentsMegabytes,
): Readable {
  return writeZip(async (add) => {
    const missing = await addDocuments(services, add, data, documentBytesMax);
    await data.read(async (collected) => {
      const counts: Counts = new Map();
      await add("data.json", jsonOf(data.email, collected, counts));
      await add("index.html", pageOf(data, collected, counts, missing));
    });
  });
}

async function addDocuments(
  services: Pick<Services, "files" | "log">,
  add: AddEntry,
  data: PersonData,
  bytesMax: number,
): Promise<Missing> {
  const missing: Missing = new Map();
  let room = bytesMax;
  for (const { file, shownAs } of data.files) {
    if (room <= 0) {
      missing.set(shownAs, "there was no room for it; please ask for it");
      continue;
    }
    // oxlint-disable-next-line no-await-in-loop -- one at a time: each is held in memory
    const bytes = await readDocument(services, file);
    if (!bytes) {
      missing.set(shownAs, "could not be read; please ask for it");
      continue;
    }
    room -= bytes.length;
    // Fails when the copy's taker has: then no further document is read.
    // oxlint-disable-next-line no-await-in-loop -- the same; PDFs are compressed already
    await add(`files/${nameInZip(shownAs)}`, [bytes], false);
  }
  return missing;
}

/** Null where it can't be read. @throws the store's outage: the job is tried again later, when the store is back */
async function readDocument({ files, log }: Pick<Services, "files" | "log">, file: string): Promise<Uint8Array | null> {
  try {
    return await files.read(file);
  } catch (error) {
    if (isOutage(error)) throw error;
    log.error({ err: error, file }, "a file of somebody's data could not be read");
    return null;
  }
}

/** Counts the records of each kind as it goes. */
async function* jsonOf(email: string, { collectedAt, sections }: Collected, counts: Counts): AsyncGenerator<string> {
  const head = JSON.stringify({ email, collectedAt, from: brand.legalName }, null, 2);
  yield head.slice(0, head.lastIndexOf("\n"));
  for (const { name, rows } of sections) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let count = 0;
    for await (const some of rows()) {
      yield some.map((row, index) => `${count + index > 0 ? "," : ""}\n    ${indented(row)}`).join("");
      count += some.length;
    }
    counts.set(name, count);
    yield count > 0 ? "\n  ]" : "]";
  }
  yield "\n}\n";
}

const indented = (row: object) => JSON.stringify(row, null, 2).replaceAll("\n", "\n    ");
