import { and, eq, inArray } from "drizzle-orm";
import { later } from "../../contract/durations.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { audit } from "../audit/audit.ts";
import { eInvoices } from "../database/schema/index.ts";
import type { Inv01 } from "../outside/e-invoices/inv-01.ts";
import { irnOf } from "../outside/e-invoices/irn-of.ts";
import type { DocumentKey, InvoiceRegistrar, Reason, Registration } from "../outside/e-invoices/registrar.ts";
import type { Services } from "../services.ts";
import { readSeller } from "../site-texts/site-texts.ts";
import { findDocument } from "./find-document.ts";
import { inv01Of } from "./inv-01-of.ts";
import { noteSilence } from "./next-ask.ts";
import { sentenceOf } from "./reasons.ts";
import { takeCancelled } from "./settle-cancellation.ts";
import { differencesOf } from "./signed-qr.ts";

type EInvoice = typeof eInvoices.$inferSelect;

/** How long to wait before checking again whether a portal is configured. */
const unconfiguredMinutes = 10;

/**
 * Registers a document at the portal once: one that was sent before is looked up first. Returns false if no answer
 * came.
 */
export async function registerDocument(services: Services, row: EInvoice): Promise<boolean> {
  const { registrar, database } = services;
  if (!registrar) {
    await noteUnconfigured(services, row);
    return true;
  }
  try {
    const document = await findDocument(database, row);
    const { eInvoices: seller } = await readSeller(database);
    if (!seller) {
      await refuse(services, row, [missing("Site texts, Invoices and tax, say no more that invoices are registered.")]);
      return true;
    }
    const built = inv01Of(document, seller);
    if ("faults" in built) {
      await refuse(services, row, built.faults.map(missing));
      return true;
    }
    const { type, number, issuedAt } = document;
    const key = { type, number, day: writtenDay(issuedAt) };
    const known = row.sentAt ? await registrar.findByDocument(key) : null;
    if (known) await take(services, row, known, built.inv01, key);
    else await send(services, registrar, row, built.inv01, key);
    return true;
  } catch (error) {
    await noteSilence(services, row, error);
    return false;
  }
}

const missing = (text: string): Reason => ({ code: "", text });

/** Commits that the document was sent before sending it: if the answer is lost, the next run looks it up. */
async function send(
  services: Services,
  registrar: InvoiceRegistrar,
  row: EInvoice,
  inv01: Inv01,
  key: DocumentKey,
): Promise<void> {
  await services.database
    .update(eInvoices)
    .set({ state: "sent", sentAt: services.now() })
    .where(and(eq(eInvoices.id, row.id), inArray(eInvoices.state, ["due", "sent", "refused"])));
  const answer = await registrar.register(inv01);
  if ("registered" in answer) return take(services, row, answer.registered, inv01, key);
  if ("refused" in answer) return refuse(services, row, answer.refused);
  const irn = answer.duplicateOf ?? irnOf(inv01.SellerDtls.Gstin, key);
  const known = (await registrar.findByDocument(key)) ?? (await registrar.findByIrn(irn));
  if (known) return take(services, row, known, inv01, key);
  return refuse(services, row, [
    {
      code: "2150",
      text: `The portal has ${key.number} already, under the IRN ${irn}, and does not tell its QR code any more: fetch it there.`,
    },
  ]);
}

/** Stores the portal's registration if it is for this very document. Jobs then render the document. */
async function take(
  services: Services,
  row: EInvoice,
  registration: Registration,
  inv01: Inv01,
  key: DocumentKey,
): Promise<void> {
  const differences = differencesOf(registration, inv01, irnOf(inv01.SellerDtls.Gstin, key));
  if (differences.length > 0) return refuse(services, row, differences.map(missing));
  if (registration.isCancelled) {
    const isTaken = await takeCancelled(services, row, registration);
    return isTaken
      ? undefined
      : refuse(services, row, [missing(`${key.number} was registered and is cancelled at the portal.`)]);
  }
  const { irn, ackNumber, ackAt, signedQr, signedInvoice } = registration;
  await services.database.transaction(async (transaction) => {
    const [registered] = await transaction
      .update(eInvoices)
      .set({
        state: "registered",
        irn,
        ackNumber,
        ackAt,
        signedQr,
        signedInvoice,
        reasons: [],
        failures: 0,
        problem: null,
        nextAskAt: null,
      })
      .where(and(eq(eInvoices.id, row.id), inArray(eInvoices.state, ["due", "sent", "refused"])))
      .returning();
    if (!registered) return;
    await audit(transaction, null, "register e-invoice", `e-invoice:${row.number}`, { irn, ackNumber });
    const { invoiceId, creditNoteId } = row;
    if (invoiceId) await services.jobs.add(transaction, "render-invoice", { invoiceId });
    if (creditNoteId) await services.jobs.add(transaction, "render-credit-note", { creditNoteId });
  });
}

/** Asks a person to look; it is sent again when they ask for it. */
async function refuse({ database }: Services, row: EInvoice, reasons: Reason[]): Promise<void> {
  await database.transaction(async (transaction) => {
    const [refused] = await transaction
      .update(eInvoices)
      .set({ state: "refused", reasons, failures: 0, problem: sentenceOf(reasons), nextAskAt: null })
      .where(and(eq(eInvoices.id, row.id), inArray(eInvoices.state, ["due", "sent", "refused"])))
      .returning();
    if (refused) await audit(transaction, null, "e-invoice refused", `e-invoice:${row.number}`, { reasons });
  });
}

async function noteUnconfigured({ database, now }: Services, { id, number }: EInvoice): Promise<void> {
  await database
    .update(eInvoices)
    .set({
      problem: `${number} has to be registered, and no portal is configured: EINVOICE_URL and EINVOICE_HEADERS say which.`,
      nextAskAt: later(now(), { minutes: unconfiguredMinutes }),
    })
    .where(eq(eInvoices.id, id));
}
