import type { Area } from "../../contract/roles.ts";

/** Of whom a dossier is, and for whom: its address holds for as long as the session of who asked for it. */
export interface AskedDossier {
  area: Area;
  incidentId: string;
  sessionId: string;
}

const id = String.raw`([\da-f-]{36})`;
const written = new RegExp(String.raw`^dossier-(user|partner|admin)-${id}-${id}\.zip$`);

export const nameOfDossier = ({ area, incidentId, sessionId }: AskedDossier): string =>
  `dossier-${area}-${incidentId}-${sessionId}.zip`;

/** Null for what is no name of a dossier. */
export function readDossierName(name: string): AskedDossier | null {
  const [, area, incidentId, sessionId] = written.exec(name) ?? [];
  return area && incidentId && sessionId ? { area: area as Area, incidentId, sessionId } : null;
}
