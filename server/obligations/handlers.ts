import type { Handlers } from "../call.ts";
import { attestFact } from "./attest-fact.ts";
import { writeDraft } from "./draft.ts";
import { verifyObligation, writeObligation } from "./edit-obligations.ts";
import { sayClasses } from "./entity-classes.ts";
import { presentObligation, readObligations, readVersions } from "./held-obligations.ts";
import { readIncidentObligations } from "./incident-state.ts";
import { readOverview } from "./open-obligations.ts";
import { recordFiling } from "./record-filing.ts";

const attested = { message: "Saved, with your name and the time." };

export const obligationHandlers = {
  "user/obligations": (services, { scope }) => readOverview(services, scope),
  "user/obligations/classes": async (services, { scope }, said) => {
    await sayClasses(services, scope, said);
    return { message: "Saved, with your name and the time. The clocks follow it from now on." };
  },
  "user/incidents/{id}/obligations": (services, { scope }, { id }) => readIncidentObligations(services, scope, id),
  "user/incidents/{id}/facts": async (services, { scope }, fact) => {
    await attestFact(services, scope, fact);
    return attested;
  },
  "user/incidents/{id}/draft": (services, { scope }, asked) => writeDraft(services, scope, asked),
  "user/incidents/{id}/filings": async (services, { scope }, filing) => {
    await recordFiling(services, scope, filing);
    return { message: "Recorded as filed, with the draft as it is now." };
  },
  "partner/incidents/{id}/obligations": (services, { scope }, { id }) => readIncidentObligations(services, scope, id),
  "admin/incidents/{id}/obligations": (services, { scope }, { id }) => readIncidentObligations(services, scope, id),
  "admin/incidents/{id}/facts": async (services, { scope }, fact) => {
    await attestFact(services, scope, fact);
    return attested;
  },
  "admin/incidents/{id}/draft": (services, { scope }, asked) => writeDraft(services, scope, asked),
  "admin/obligations": async ({ database }) => ({
    obligations: (await readObligations(database)).map(presentObligation),
  }),
  "admin/obligations/history": async ({ database }, _call, { key }) => ({
    versions: (await readVersions(database, key)).map(presentObligation),
  }),
  "admin/obligations/post": async (services, { scope }, written) => {
    await writeObligation(services, scope, written);
    return { message: "Saved. Clocks follow it from now on; nobody has verified it yet." };
  },
  "admin/obligations/verify": async (services, { scope }, verified) => {
    await verifyObligation(services, scope, verified);
    return { message: verified.verified ? "Verified, in your name." : "Taken back. It is unverified now." };
  },
} satisfies Partial<Handlers>;
