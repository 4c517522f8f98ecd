import type { IncidentSeverity, IncidentVerdict, WaitsFor } from "./incident-states.ts";

/** What a fact of an incident carries besides its news; which of it stands there follows from the news. */
export interface IncidentPayload {
  text?: string;
  severity?: IncidentSeverity;
  /** Of whom it is. */
  ownerId?: string;
  /** Of `answered`: the fact that asked. */
  ask?: string;
  /** Of `waiting` and `resumed`: for whom; of `asked` that clocks pause until the answer. */
  waits?: WaitsFor | undefined;
  /** Without one nothing pauses. */
  reason?: string | undefined;
  verdict?: IncidentVerdict;
  /** Of `merged`: the number of the incident that goes on. */
  into?: string;
  /** Of `attached`: how many findings. */
  findings?: number;
  /** Only people of the operator read it. */
  internal?: boolean;
}
