import { areaOf } from "../../contract/roles.ts";
import { brand } from "../../contract/brand.ts";
import { incidentNumber } from "../../contract/numbers.ts";
import type { Handlers } from "../call.ts";
import { findIncident, type IncidentScope } from "../incidents/find-incident.ts";
import { signAddress } from "../outside/files/open-file-store.ts";
import type { Services } from "../services.ts";
import { nameOfDossier } from "./dossier-name.ts";

/**
 * Returns only an address: the dossier is made when that is opened (decision 104).
 * @throws Failure not_found, too_many_requests
 */
const dossierAddress = async (
  services: Services,
  { scope }: { scope: IncidentScope },
  { id }: { id: string },
): Promise<{ signedUrl: string }> => {
  const { serial } = await findIncident(services.database, scope, id);
  const { personId, role, sessionId } = scope.actor;
  await services.limiter.consume("paperByAccount", personId);
  const name = nameOfDossier({ area: areaOf(role), incidentId: id, sessionId });
  const { env, publicUrl, now } = services;
  const shownAs = `${brand.name}-dossier-${incidentNumber(serial)}.zip`;
  return { signedUrl: signAddress({ tokenSecret: env.tokenSecret, publicUrl, now }, name, shownAs) };
};

export const dossierHandlers = {
  "user/incidents/dossier": dossierAddress,
  "partner/incidents/dossier": dossierAddress,
  "admin/incidents/dossier": dossierAddress,
} satisfies Partial<Handlers>;
