import { and, eq } from "drizzle-orm";
import { randomUUID } from "node:crypto";
import { limits } from "../../contract/limits.ts";
import { formatRupees, paiseFrom } from "../../contract/money.ts";
import { orderNumber } from "../../contract/numbers.ts";
import type { Input } from "../../contract/operations.ts";
import { organisationOf, type Scope } from "../access/scope.ts";
import { audit } from "../audit/audit.ts";
import type { Transaction } from "../database/database.ts";
import { orders, taxDeductions } from "../database/schema/index.ts";
import { Failure, invalidField, notFound } from "../failures/failure.ts";
import { giveUpFile, keepFile, removeUnnamedFile } from "../files/keep-file.ts";
import { postEntry } from "../ledger/post-entry.ts";
import { takeBackWriteOff } from "../ledger/take-back-write-off.ts";
import { notify } from "../notices/notify.ts";
import { documentFile } from "../outside/files/document-file.ts";
import type { Services } from "../services.ts";
import { type CertificateNews, certificateTransitions } from "./transitions.ts";

type Deduction = typeof taxDeductions.$inferSelect;

/**
 * Stores the certificate for the tax that a customer deducted; it replaces an earlier upload that is undecided.
 * @throws Failure not_found; invalid for a file that is not a PDF; conflict once the claim is matched
 */
export async function uploadCertificate(
  services: Services,
  scope: Scope<"organisation">,
  { id, number, quarter, amount, file: base64 }: Input<"user/certificates/upload">,
): Promise<string> {
  const bytes = Buffer.from(base64, "base64");
  if (!bytes.subarray(0, 1024).includes("%PDF-")) {
    throw invalidField("file", "This is no PDF. Please upload Form 16A as it came from TRACES.");
  }
  // Checked before anything is stored, so that nobody fills the store with files for claims that can't take them.
  moveClaim(await findOwn(services, scope, id), "uploaded");
  await services.limiter.consume("paymentByAccount", scope.actor.personId);
  const file = documentFile("tax-certificate", randomUUID());
  const replaced: string[] = [];
  await keepFile(services, file, bytes, async (transaction) => {
    const claim = await lockClaim(transaction, id);
    const state = moveClaim(claim, "uploaded");
    await transaction
      .update(taxDeductions)
      .set({
        state,
        certificateNumber: number,
        quarter,
        certificatePaise: paiseFrom(amount),
        file,
        uploadedBy: scope.actor.personId,
        uploadedAt: services.now(),
        refusal: "",
        decidedBy: null,
        decidedAt: null,
      })
      .where(eq(taxDeductions.id, id));
    const detail = { number, quarter, amount };
    await audit(transaction, scope.actor.personId, "upload tax certificate", `order:${claim.orderId}`, detail);
    if (claim.file) {
      await giveUpFile(services, transaction, claim.file);
      replaced.push(claim.file);
    }
    return true;
  });
  await Promise.all(replaced.map((each) => removeUnnamedFile(services, each)));
  return "Thank you, the certificate is with us. We compare it with what is open and tell you here.";
}

async function findOwn(
  { database }: Services,
  scope: Scope<"organisation">,
  id: string,
): Promise<Pick<Deduction, "state">> {
  const [own] = await database
    .select({ state: taxDeductions.state })
    .from(taxDeductions)
    .innerJoin(orders, eq(orders.id, taxDeductions.orderId))
    .where(and(eq(taxDeductions.id, id), eq(orders.organisationId, organisationOf(scope))));
  if (!own) throw notFound("This claim");
  return own;
}

export async function lockClaim(transaction: Transaction, id: string): Promise<Deduction> {
  const [found] = await transaction
    .select({ orderId: taxDeductions.orderId })
    .from(taxDeductions)
    .where(eq(taxDeductions.id, id));
  if (!found) throw notFound("This claim");
  // The order first, as everywhere: a trigger updates its open amount.
  await transaction.select({ id: orders.id }).from(orders).where(eq(orders.id, found.orderId)).for("update");
  const [claim] = await transaction.select().from(taxDeductions).where(eq(taxDeductions.id, id)).for("update");
  if (!claim) throw notFound("This claim");
  return claim;
}

const refusals: Record<CertificateNews, string> = {
  uploaded: "This certificate has been matched already. Nothing more is needed.",
  matched: "There is no certificate that waits for this. Somebody may have decided it meanwhile.",
  refused: "There is no certificate that waits for this. Somebody may have decided it meanwhile.",
};

/** @throws Failure conflict if the claim's state does not allow this */
function moveClaim({ state }: Pick<Deduction, "state">, news: CertificateNews): Deduction["state"] {
  const next = certificateTransitions[state][news];
  if (next === null) throw new Failure("conflict", refusals[news]);
  return next;
}

/**
 * Matches an uploaded certificate with the claim, or refuses it with a reason that the customer reads.
 * @throws Failure not_found; conflict if no certificate waits, if it is not the one that was looked at, or if its
 * amount is below the claim by more than rounding
 */
export async function decideCertificate(
  services: Services,
  { actor }: Scope<"any">,
  decided: Input<"admin/certificates/decide">,
): Promise<string> {
  return services.database.transaction(async (transaction) => {
    const claim = await lockClaim(transaction, decided.id);
    const state = moveClaim(claim, decided.decision);
    if (claim.file !== decided.pdf_url)
      throw new Failure(
        "conflict",
        "The customer has uploaded another certificate meanwhile. Please look at that one before you decide.",
      );
    const shortPaise = claim.amountPaise - (claim.certificatePaise ?? 0);
    if (decided.decision === "matched" && shortPaise > limits.deductedRoundingPaiseMax)
      throw new Failure(
        "conflict",
        `The certificate says ${formatRupees(claim.certificatePaise ?? 0)}, and ${formatRupees(claim.amountPaise)} were claimed. Please refuse it with that reason.`,
      );
    const refusal = decided.decision === "refused" ? decided.reason : "";
    await transaction
      .update(taxDeductions)
      .set({ state, refusal, decidedBy: actor.personId, decidedAt: services.now() })
      .where(eq(taxDeductions.id, claim.id));
    if (decided.decision === "matched") await settleLate(services, transaction, claim);
    const action = decided.decision === "matched" ? "match tax certificate" : "refuse tax certificate";
    await audit(transaction, actor.personId, action, `order:${claim.orderId}`, {
      number: claim.certificateNumber,
      ...(decided.decision === "matched" && shortPaise > 0 && { shortPaise }),
      ...(refusal && { reason: refusal }),
    });
    const [order] = await transaction.select().from(orders).where(eq(orders.id, claim.orderId));
    const about = orderNumber(order?.serial ?? 0);
    if (refusal) {
      const facts = { orderNumber: about, reason: refusal };
      // By its file: the next one that is uploaded may be refused too.
      const eventKey = `${claim.id}:${claim.file}`;
      await notify(transaction, "certificate refused", eventKey, facts, {
        organisationId: order?.organisationId ?? null,
      });
    }
    return decided.decision === "matched"
      ? `The certificate of ${about} is matched.`
      : `The certificate of ${about} is refused; the customer reads why.`;
  });
}

/** A certificate that comes late settles deducted tax that was owed again, even if that was written off meanwhile. */
async function settleLate(services: Services, transaction: Transaction, claim: Deduction): Promise<void> {
  const { id: eventId, orderId, amountPaise, debtSince: since } = claim;
  if (since === null) return;
  const reason = `Certificate ${claim.certificateNumber ?? ""} came late.`;
  await takeBackWriteOff(services, transaction, { orderId, eventId, camePaise: amountPaise, reason, since });
  await postEntry(transaction, {
    orderId,
    kind: "tax certified",
    eventId,
    amountPaise: -amountPaise,
    about: `Certificate ${claim.certificateNumber ?? ""}`,
    reason,
    at: services.now(),
  });
}
