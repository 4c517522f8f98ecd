import type { Handlers } from "../call.ts";
import { importSettlement, previewSettlement } from "./import-settlement.ts";
import { listFindings, listSettlementFiles, resolveFinding } from "./queries.ts";

export const reconcileHandlers = {
  "admin/reconcile": (services, { scope }, query) => listFindings(services, scope, query),
  "admin/reconcile/files": async (services, { scope }) => ({ files: await listSettlementFiles(services, scope) }),
  "admin/reconcile/preview": (services, { scope }, { file }) => previewSettlement(services, scope, file),
  "admin/reconcile/import": async (services, { scope }, settlement) => ({
    message: await importSettlement(services, scope, settlement),
  }),
  "admin/reconcile/resolve": async (services, { scope }, resolved) => {
    await resolveFinding(services, scope, resolved);
    return { message: "This is resolved. Your reason stays with it, under Resolved." };
  },
} satisfies Partial<Handlers>;
