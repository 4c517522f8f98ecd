import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import { contractNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import type { Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import { contracts } from "../database/schema/index.ts";
import { Failure } from "../failures/failure.ts";
import { isRenewalChoiceOpen } from "../quotes/quotes.ts";
import type { Services } from "../services.ts";
import { lockContract } from "./find-contract.ts";

/**
 * Records who chose, and when, that a contract renews automatically, or takes that back. The choice later accepts the
 * renewal's quote and charges nothing. Returns the sentence that says what holds now.
 * @throws Failure not_found; conflict when it is too late
 */
export async function chooseRenewal(
  services: Services,
  scope: Scope<"organisation">,
  { contract_id, automatic }: Input<"user/contracts/choose-renewal">,
): Promise<string> {
  const { personId } = scope.actor;
  return services.database.transaction(async (transaction) => {
    const contract = await lockContract(transaction, scope, contract_id);
    if (!isRenewalChoiceOpen(services, contract.endsOn))
      throw new Failure(
        "conflict",
        `This can be chosen until ${limits.autoRenewalDays + 1} days before the end. Please buy or decline the quote itself.`,
      );
    const number = contractNumber(contract.serial);
    const isChosen = contract.renewalChosenAt !== null;
    if (isChosen !== automatic) {
      const chosen = automatic ? { by: personId, at: services.now() } : { by: null, at: null };
      await transaction
        .update(contracts)
        .set({ renewalChosenBy: chosen.by, renewalChosenAt: chosen.at })
        .where(eq(contracts.id, contract.id));
      const action = automatic ? "choose renewal" : "take back renewal";
      await audit(transaction, personId, action, `contract:${contract.id}`);
    }
    return automatic
      ? `${number} renews by itself: its quote is accepted ${limits.autoRenewalDays} days before the end, for no more than you were told before that day. Nothing is charged; you pay it then.`
      : `${number} does not renew by itself. Its quote comes all the same, and you decide.`;
  });
}
