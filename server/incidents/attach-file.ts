import { and, eq, gt, sql } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { earlier } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import type { Input } from "../../contract/operations.ts";
import { audit } from "../audit/audit.ts";
import type { Database, Transaction } from "../database/database.ts";
import { incidentFiles, incidents } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { refuseUnlessSame } from "../failures/sent-before.ts";
import { keepFile } from "../files/keep-file.ts";
import { sha256Of } from "../protection/sha256-of.ts";
import type { Services } from "../services.ts";
import { findIncident, type IncidentRow, type IncidentScope, lockIncident, sideOf } from "./find-incident.ts";

/** Accepted file types, recognised by the first bytes and never by the name. */
const kinds: readonly { extension: string; fits(bytes: Buffer): boolean }[] = [
  { extension: "pdf", fits: (bytes) => bytes.subarray(0, 1024).includes("%PDF-") },
  { extension: "png", fits: (bytes) => bytes.subarray(0, 8).equals(Buffer.from("89504e470d0a1a0a", "hex")) },
  { extension: "jpg", fits: (bytes) => bytes.subarray(0, 3).equals(Buffer.from("ffd8ff", "hex")) },
  { extension: "zip", fits: (bytes) => bytes.subarray(0, 4).equals(Buffer.from("504b0304", "hex")) },
  { extension: "txt", fits: isText },
];

function isText(bytes: Buffer): boolean {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    // oxlint-disable-next-line no-control-regex -- a text holds tabs and line ends, and no other control characters
    return !/[\0-\x08\x0b\x0c\x0e-\x1f]/.test(text);
  } catch {
    return false;
  }
}

/** Attaches a file to an incident, once per file_id. @throws Failure not_found, invalid, conflict, too_many_requests */
export async function attachFile(
  services: Services,
  scope: IncidentScope,
  { id, file_id: fileId, name, file: base64 }: Input<"user/incidents/attach">,
): Promise<string> {
  // Comes first, so that repeated calls for other tenants' incidents count too.
  await services.limiter.consume("incidentByAccount", scope.actor.personId);
  const bytes = Buffer.from(base64, "base64");
  const kind = kinds.find(({ fits }) => fits(bytes));
  if (!kind || bytes.length > limits.incidentFileBytesMax) {
    throw invalidField("file", "Please attach a PDF, PNG, JPEG, ZIP or text file. Put anything else into a ZIP.");
  }
  // Checked before the file is stored, so that nobody fills the store with files for other tenants' incidents.
  const incident = await findIncident(services.database, scope, id);
  // A random name: knowing an id lets nobody overwrite an attached file.
  const file = `incident-${randomUUID()}.${kind.extension}`;
  const [known] = await services.database.select().from(incidentFiles).where(eq(incidentFiles.id, fileId));
  if (known && known.incidentId !== id) throw notFound("This incident");
  const sha256 = sha256Of(bytes);
  if (known) {
    refuseUnlessSame(known, { name, sha256 });
    return "Attached.";
  }
  const refuse = (database: Database | Transaction) => refuseMore(services, database, scope, incident, bytes.length);
  await refuse(services.database);
  await keepFile(services, file, bytes, async (transaction) => {
    await lockIncident(transaction, scope, id);
    await refuse(transaction);
    const { rowCount } = await transaction
      .insert(incidentFiles)
      .values({
        id: fileId,
        incidentId: id,
        name,
        file,
        type: kind.extension,
        bytes: bytes.length,
        sha256,
        personId: scope.actor.personId,
        by: sideOf[scope.reach],
        createdAt: services.now(),
      })
      .onConflictDoNothing();
    if (!rowCount) {
      const [first] = await transaction.select().from(incidentFiles).where(eq(incidentFiles.id, fileId));
      refuseUnlessSame(first, { incidentId: id, name, sha256 });
      return false;
    }
    await audit(transaction, scope.actor.personId, "attach file", `incident:${id}`, { bytes: bytes.length });
    return true;
  });
  return "Attached.";
}

/**
 * Anybody can register, report attacks and attach files to them, so a customer's files are limited to so many bytes in
 * 24 hours. Our team's files are not counted. Concurrent uploads to two incidents may each miss the other: a few files
 * too many do no harm.
 * @throws Failure conflict, too_many_requests
 */
async function refuseMore(
  { now }: Services,
  database: Database | Transaction,
  { reach }: IncidentScope,
  { id, organisationId }: IncidentRow,
  bytes: number,
): Promise<void> {
  if ((await database.$count(incidentFiles, eq(incidentFiles.incidentId, id))) >= limits.filesOfIncidentMax)
    throw new Failure("conflict", `An incident holds ${limits.filesOfIncidentMax} files. Put several into a ZIP.`);
  if (reach === "any") return;
  const [attached] = await database
    .select({ bytes: sql<number>`coalesce(sum(${incidentFiles.bytes}), 0)::float8` })
    .from(incidentFiles)
    .innerJoin(incidents, eq(incidents.id, incidentFiles.incidentId))
    .where(
      and(
        eq(incidents.organisationId, organisationId),
        eq(incidentFiles.by, "customer"),
        gt(incidentFiles.createdAt, earlier(now(), { days: 1 })),
      ),
    );
  if ((attached?.bytes ?? 0) + bytes <= limits.attachedMegabytesOfDay * 1024 ** 2) return;
  throw new Failure(
    "too_many_requests",
    `Your organization has attached ${limits.attachedMegabytesOfDay} MB in 24 hours, and that is the most. Write a comment where the files are: our team fetches or attaches them.`,
    { retryAfterSeconds: 3600 },
  );
}

/** A signed address of one of an incident's files, for whoever may read the incident. @throws Failure not_found */
export async function openFile(
  services: Services,
  scope: IncidentScope,
  { id, file_id: fileId }: Input<"user/incidents/file">,
): Promise<{ signedUrl: string }> {
  await findIncident(services.database, scope, id);
  const [found] = await services.database
    .select()
    .from(incidentFiles)
    .where(and(eq(incidentFiles.id, fileId), eq(incidentFiles.incidentId, id)));
  if (!found) throw notFound("This file");
  return { signedUrl: await services.files.signedUrl(found.file, shownAs(found)) };
}

/** A name that is safe in a header, with the extension of the recognised type. */
const shownAs = ({ name, type }: { name: string; type: string }) =>
  `${
    name
      .replace(/\.[^.]*$/, "")
      .replace(/[^\w-]+/g, "-")
      .slice(0, 80) || "file"
  }.${type}`;
