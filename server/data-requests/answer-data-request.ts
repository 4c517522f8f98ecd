import { and, eq } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { limits } from "../../contract/limits.ts";
import { audit } from "../audit/audit.ts";
import { dataRequests } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { collectData } from "./collect-data.ts";
import { eraseData } from "./erase-data.ts";
import { type DataRequestRow, fileOfExport, subjectOf } from "./queries.ts";
import { zipData } from "./zip-data.ts";

/** Carries out a data request. If it is killed at any point, it runs again and continues where it was. */
export async function answerDataRequest(services: Services, id: string): Promise<void> {
  const request = await findRequest(services, id);
  if (request?.state === "waiting" && request.kind === "export") await makeExport(services, request);
  if (request?.state === "waiting" && request.kind === "erasure") await eraseData(services, id);
  const answered = await findRequest(services, id);
  if (answered?.state === "removing") await removeFiles(services, answered);
  if (answered?.state === "refused" && answered.kind === "export") await services.files.remove(fileOfExport(id));
}

async function findRequest({ database }: Services, id: string): Promise<DataRequestRow | undefined> {
  const [request] = await database.select().from(dataRequests).where(eq(dataRequests.id, id));
  return request;
}

/** If the person was erased during the export, the request is refused by now and the export's file is removed. */
async function makeExport(services: Services, request: DataRequestRow): Promise<void> {
  const { id, email, personId } = request;
  const data = await collectData(services, { email: email ?? "", personId });
  const file = fileOfExport(id);
  await services.files.writeStream(file, zipData(services, data));
  await services.database.transaction(async (transaction) => {
    const now = services.now();
    const done = await transaction
      .update(dataRequests)
      .set({ state: "done", doneAt: now, file, fileUntil: later(now, { days: limits.dataExportDays }) })
      .where(and(eq(dataRequests.id, id), eq(dataRequests.state, "waiting")));
    if (done.rowCount === 1) await audit(transaction, null, "make data export", subjectOf(request), { request: id });
  });
}

/** Removes the files of erased records after those are gone for good, then forgets the files' names. */
async function removeFiles(services: Services, { id, filesToRemove }: DataRequestRow): Promise<void> {
  await Promise.all(filesToRemove.map((file) => services.files.remove(file)));
  await services.database
    .update(dataRequests)
    .set({ state: "done", doneAt: services.now(), filesToRemove: [] })
    .where(and(eq(dataRequests.id, id), eq(dataRequests.state, "removing")));
}
