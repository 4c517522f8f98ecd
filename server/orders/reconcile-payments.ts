import { notInArray } from "drizzle-orm";
import { attempts } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { askAboutDue } from "./ask-about-due.ts";
import { checkAttempt, showUnconfirmed } from "./check-attempt.ts";
import { retryAt } from "./next-check.ts";
import { settledStates } from "./take-step.ts";

/**
 * Asks the gateway about every attempt that is due: open, called a success but not confirmed, or failed recently. An
 * attempt whose request, process or gateway call was lost is found here by its row.
 */
export async function reconcilePayments(services: Services): Promise<void> {
  await showUnconfirmed(services);
  await askAboutDue(services, {
    about: notInArray(attempts.state, [...settledStates]),
    retryAt: (_, due) => retryAt(due, services.now()),
    ask: ({ reference }) => checkAttempt(services, reference),
    failure: "payment could not be checked",
  });
}
