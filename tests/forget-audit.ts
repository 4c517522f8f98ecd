import type { TestServer } from "./harness.ts";

/** Begins the audit log anew, which nothing in the product can: the triggers are off meanwhile. */
export async function forgetAudit({ services }: TestServer): Promise<void> {
  // The chain first, as whoever seals does: the two would wait for each other otherwise.
  await services.database.$client.query(`begin;
    update audit_chain set last_number = 0, last_hash = '';
    alter table audit_entries disable trigger user;
    truncate audit_entries;
    alter table audit_entries enable trigger user;
    commit`);
}
