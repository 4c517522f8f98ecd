import type { Database, Transaction } from "../database/database.ts";
import { auditEntries } from "../database/schema/index.ts";

/** Notes who did what to what, in the transaction of the change; a refusal changes nothing and needs none. `detail` holds no secret. */
export async function audit(
  transaction: Transaction | Database,
  actorId: string | null,
  action: string,
  subject: string,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await transaction.insert(auditEntries).values({ actorId, action, subject, detail });
}
