import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { limits } from "../../contract/limits.ts";
import type { Call } from "../call.ts";
import { quotes } from "../database/schema/index.ts";
import { notFound } from "../failures/failure.ts";
import { proposalShownAs } from "../files/shown-as.ts";
import { isSameSecret } from "../protection/is-same-secret.ts";
import { deriveKey } from "../protection/tokens.ts";
import type { Services } from "../services.ts";
import { proposalFile } from "./deliver-proposal.ts";

/**
 * A token that lets only the sender of an estimate fetch its proposal for a while, because a visitor has no account to
 * check. A token given to a signed-in person works for no other account and for no visitor.
 */
export function signProposalToken({ env, now }: Services, call: Call, quoteId: string): string {
  const expires = Math.floor(now().getTime() / 1000) + limits.proposalTokenMinutes * 60;
  const claim = `${quoteId}.${expires}`;
  return `${claim}.${signatureOf(env.tokenSecret, claim, holderOf(call))}`;
}

/**
 * The address of the proposal that was requested with the estimate; null until it is made. Confirmed rates make a new
 * proposal, which goes only to the owner of the e-mail address.
 * @throws Failure not_found or too_many_requests
 */
export async function proposalJustSent(services: Services, call: Call, token: string): Promise<string | null> {
  await services.limiter.consume("proposalByAddress", call.address);
  const quoteId = readProposalToken(services, call, token);
  const [quote] = quoteId ? await services.database.select().from(quotes).where(eq(quotes.id, quoteId)) : [];
  if (!quote || quote.revision > 1) throw notFound("This proposal");
  if (quote.proposalFile === null) return null;
  return services.files.signedUrl(proposalFile(quote.id, quote.revision), proposalShownAs(quote));
}

/** The id of the quote that a token is for; null if the token is broken, expired or another caller's. */
function readProposalToken({ env, now }: Services, call: Call, token: string): string | null {
  const [quoteId = "", expires = "", signature = ""] = token.split(".");
  const isOurs = isSameSecret(signature, signatureOf(env.tokenSecret, `${quoteId}.${expires}`, holderOf(call)));
  return isOurs && Number(expires) * 1000 > now().getTime() ? quoteId : null;
}

const holderOf = ({ actor }: Call) => actor?.personId ?? "visitor";

const signatureOf = (secret: string, claim: string, holder: string) =>
  createHmac("sha256", deriveKey(secret, "proposal just sent")).update(`${claim}.${holder}`).digest("base64url");
