import type { Hono } from "hono";
import { readDossierName } from "../dossiers/dossier-name.ts";
import { clientAddress } from "./client-address.ts";
import { readDossier } from "./dossiers.ts";
import { Failure, notFound } from "../failures/failure.ts";
import { isOutage } from "../failures/outage.ts";
import { documentKinds } from "../outside/files/document-file.ts";
import type { Services } from "../services.ts";
import { contentTypeOf, isSignedAddress } from "../outside/files/open-file-store.ts";

const id = String.raw`[\da-f-]{36}`;
/** The file names that we give, with a number for later revisions; any other is not found. */
const ownName = new RegExp(
  [
    String.raw`^((${documentKinds.join("|")})-${id}\.pdf`,
    String.raw`proposal-${id}(-\d{1,9})?\.pdf`,
    String.raw`service-report-${id}-partner\.pdf`,
    String.raw`data-${id}\.zip`,
    String.raw`incident-${id}\.(pdf|png|jpg|zip|txt))$`,
  ].join("|"),
);

/** Serves signed addresses of the folder store, and of dossiers, which are in no store. */
export function mountFiles(api: Hono, services: Services): void {
  api.get("/files/:name", async (context) => {
    const name = context.req.param("name");
    const dossier = readDossierName(name);
    if (!dossier && !ownName.test(name)) throw notFound("This file");
    const { tokenSecret, trustProxy } = services.env;
    if (!isSignedAddress(tokenSecret, name, context.req.query(), services.now())) {
      // A correctly signed but expired address comes from an old page; one that was never valid is a guess, and noted.
      if (!isSignedAddress(tokenSecret, name, context.req.query(), new Date(0)))
        services.denials.note({
          event: "refuse file address",
          operation: "files",
          address: clientAddress(context, trustProxy),
          actor: null,
          sought: name,
        });
      throw new Failure("forbidden", "This address has expired. Please open the file again from your account.");
    }
    const content = dossier
      ? await readDossier(context, services, dossier)
      : await services.files.read(name).catch((error: unknown) => {
          throw isOutage(error) ? error : notFound("This file");
        });
    return context.body(content instanceof ReadableStream ? content : new Uint8Array(content), 200, {
      "Content-Type": contentTypeOf(name),
      "Content-Disposition": `${name.endsWith(".pdf") && !name.startsWith("incident-") ? "inline" : "attachment"}; filename="${context.req.query("as") ?? name}"`,
      "Cache-Control": "private, no-store",
      "X-Content-Type-Options": "nosniff",
      // Files are the only answers that our own pages may show in a frame.
      "Content-Security-Policy": "frame-ancestors 'self'",
    });
  });
}
