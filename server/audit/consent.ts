import type { NoticeVersion } from "../../contract/privacy-notice.ts";
import type { Transaction } from "../database/database.ts";
import { consents } from "../database/schema/index.ts";

/** The purpose of a consent, with the record that the form made. */
export type Agreed =
  | { purpose: "registration" | "invitation"; personId: string }
  | { purpose: "contact"; leadId: string }
  | { purpose: "estimate"; quoteId: string };

/**
 * Records, in the transaction of what it allows, that somebody sent a form with this privacy notice above its button.
 */
export async function recordConsent(
  clock: { now(): Date },
  transaction: Transaction,
  agreed: Agreed,
  noticeVersion: NoticeVersion | undefined,
): Promise<void> {
  await transaction.insert(consents).values({ ...agreed, noticeVersion, givenAt: clock.now() });
}
