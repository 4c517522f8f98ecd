import type { IncidentSeverity, IncidentVerdict, WaitsFor } from "./incident-states.ts";

/** What a fact carries besides its news; the news decides which fields are present. */
export interface IncidentPayload {
  text?: string;
  severity?: IncidentSeverity;
  /** The new owner. */
  ownerId?: string;
  /** For `answered`: the fact that asked. */
  ask?: string;
  /** For `waiting` and `resumed`: for whom; for `asked`: that clocks pause until the answer. */
  waits?: WaitsFor | undefined;
  /** Without a reason nothing pauses. */
  reason?: string | undefined;
  verdict?: IncidentVerdict;
  /** For `merged`: the number of the incident that continues. */
  into?: string;
  /** For `attached`: the number of findings. */
  findings?: number;
  /** Visible to the operator's staff only. */
  internal?: boolean;
}
