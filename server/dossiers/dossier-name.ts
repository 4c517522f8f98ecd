import type { Area } from "../../contract/roles.ts";

/**
 * What a dossier's file name says: the incident, the reader's area, and the session that asked, for which the address
 * is valid.
 */
export interface AskedDossier {
  area: Area;
  incidentId: string;
  sessionId: string;
}

const id = String.raw`([\da-f-]{36})`;
const written = new RegExp(String.raw`^dossier-(user|partner|admin)-${id}-${id}\.zip$`);

export const nameOfDossier = ({ area, incidentId, sessionId }: AskedDossier): string =>
  `dossier-${area}-${incidentId}-${sessionId}.zip`;

/** Null if the name is not a dossier's. */
export function readDossierName(name: string): AskedDossier | null {
  const [, area, incidentId, sessionId] = written.exec(name) ?? [];
  return area && incidentId && sessionId ? { area: area as Area, incidentId, sessionId } : null;
}
