import type { Context } from "hono";
import { workFrom } from "../audit/origin.ts";
import type { AskedDossier } from "../dossiers/dossier-name.ts";
import { openDossier } from "../dossiers/open-dossier.ts";
import type { Services } from "../services.ts";
import { authorise } from "./authenticate.ts";
import { clientAddress } from "./client-address.ts";
import { callInTurn } from "../protection/in-turn.ts";

/** Streams a dossier, created while it is read, with the caller's current rights. @throws Failure */
export async function readDossier(
  context: Context,
  services: Services,
  { area, incidentId, sessionId }: AskedDossier,
): Promise<ReadableStream<Uint8Array>> {
  const address = clientAddress(context, services.env.trustProxy);
  const { scope } = await authorise(services, `${area}/incidents/dossier`, { sessionId });
  await services.limiter.consume("paperByAccount", scope.actor.personId);
  const dossier = await workFrom(address, () =>
    callInTurn(services.gates, scope.actor, () => openDossier(services, scope, incidentId)),
  );
  dossier.on("error", (error) => services.log.warn({ err: error, incidentId }, "a dossier broke off"));
  const chunks = dossier[Symbol.asyncIterator]() as AsyncIterator<Uint8Array<ArrayBuffer>>;
  return new ReadableStream(
    {
      async pull(stream) {
        const { done, value } = await chunks.next();
        if (done) stream.close();
        else stream.enqueue(value);
      },
      // A cancelled download stops reading from the store.
      cancel: () => void dossier.destroy(),
    },
    { highWaterMark: 0 },
  );
}
