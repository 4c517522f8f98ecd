import type { Handlers } from "../call.ts";
import { correctDeduction } from "./correct-deduction.ts";
import { listCertificates } from "../ledger/list-certificates.ts";
import { listTransfers } from "../ledger/list-transfers.ts";
import { decideCertificate, uploadCertificate } from "./certificates.ts";
import { chooseTransfer, findWaysToPay } from "./choose-transfer.ts";
import { deductOfInvoice } from "./deduct-of-invoice.ts";
import { enterAgain } from "./enter-again.ts";
import { giveBackByHand } from "../refunds/give-back-by-hand.ts";
import { importStatement, previewStatement } from "./import-statement.ts";
import { oweTaxAgain } from "./owe-tax-again.ts";
import { announceTransfer, withdrawTransfer } from "./announce-transfer.ts";
import { matchByHand, recordTransfer } from "./record-transfer.ts";
import { putBack, setAside } from "./set-aside.ts";
import { agreeToWriteOff, declineWriteOff, writeOff } from "./write-off.ts";

export const transferHandlers = {
  "user/ways-to-pay": (services) => findWaysToPay(services),
  "user/orders/transfer": (services, { scope }, request) => chooseTransfer(services, scope, request),
  "user/transfers/announce": async (services, { scope }, announced) => {
    await announceTransfer(services, scope, announced);
    return { message: "Thank you. We match it as soon as the bank shows it." };
  },
  "user/transfers/withdraw": async (services, { scope }, announced) => {
    await withdrawTransfer(services, scope, announced);
    return { message: "It is taken back. Once you have transferred it, tell us again." };
  },
  "user/transfers/deduct": async (services, { scope }, deducted) => ({
    message: await deductOfInvoice(services, scope, deducted),
  }),
  "user/certificates/upload": async (services, { scope }, certificate) => ({
    message: await uploadCertificate(services, scope, certificate),
  }),
  "admin/transfers": (services, { scope }, query) => listTransfers(services, scope, query),
  "admin/transfers/record": async (services, { scope }, transfer) => ({
    message: await recordTransfer(services, scope, transfer),
  }),
  "admin/transfers/match": async (services, { scope }, matched) => ({
    message: await matchByHand(services, scope, matched),
  }),
  "admin/transfers/enter-again": async (services, { scope }, { refund }) => ({
    message: await enterAgain(services, scope, refund),
  }),
  "admin/transfers/set-aside": async (services, { scope }, aside) => ({
    message: await setAside(services, scope, aside),
  }),
  "admin/transfers/put-back": async (services, { scope }, transfer) => ({
    message: await putBack(services, scope, transfer),
  }),
  "admin/transfers/preview": (services, { scope }, { file }) => previewStatement(services, scope, file),
  "admin/transfers/import": async (services, { scope }, statement) => ({
    message: await importStatement(services, scope, statement),
  }),
  "admin/receivables/settle": async (services, { scope }, settled) => ({
    message:
      settled.kind === "write-off"
        ? await writeOff(services, scope, settled)
        : await giveBackByHand(services, scope, settled),
  }),
  "admin/write-offs/agree": async (services, { scope }, { id }) => ({
    message: await agreeToWriteOff(services, scope, id),
  }),
  "admin/write-offs/decline": async (services, { scope }, { id }) => ({
    message: await declineWriteOff(services, scope, id),
  }),
  "admin/certificates": (services, { scope }, query) => listCertificates(services, scope, query),
  "admin/certificates/owe-again": async (services, { scope }, owed) => ({
    message: await oweTaxAgain(services, scope, owed),
  }),
  "admin/certificates/correct": async (services, { scope }, corrected) => ({
    message: await correctDeduction(services, scope, corrected),
  }),
  "admin/certificates/decide": async (services, { scope }, decided) => ({
    message: await decideCertificate(services, scope, decided),
  }),
} satisfies Partial<Handlers>;
