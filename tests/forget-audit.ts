import type { TestServer } from "./harness.ts";

/** Empties the audit log, which nothing in the product can: its triggers are off meanwhile. */
export async function forgetAudit({ services }: TestServer): Promise<void> {
  // Locks the chain first, as the sealing job does: in another order the two would deadlock.
  await services.database.$client.query(`begin;
    update audit_chain set last_number = 0, last_hash = '';
    alter table audit_entries disable trigger user;
    truncate audit_entries;
    alter table audit_entries enable trigger user;
    commit`);
}
