import type { priceDevices } from "../server/rates/pricing.ts";
import type { proposalData } from "../server/quotes/proposal.ts";

type QuoteRow = Parameters<typeof proposalData>[0];

/** A quote as a database row, for code that is tested without a database. */
export function quoteRow(priced: ReturnType<typeof priceDevices>, over: Partial<QuoteRow> = {}): QuoteRow {
  return {
    id: "019b0000-0000-7000-8000-000000000001",
    serial: 123,
    organisationId: null,
    organizationName: "Kaveri Textiles",
    userName: "Asha Rao",
    userEmail: "asha.rao@example.in",
    phoneNumber: "+919876543210",
    numberOfUsers: 1200,
    message: "Two plants and a head office.",
    rateCardId: "019b0000-0000-7000-8000-000000000002",
    sampleRates: true,
    ...priced,
    proposalFile: null,
    // Already the 22nd in India.
    createdAt: new Date("2026-11-21T19:00:00Z"),
    validUntil: new Date("2026-12-22T18:29:59.999Z"),
    revision: 1,
    ratesToConfirm: priced.lines.some((line) => line.subjectToConfirmation),
    validDays: 30,
    ratesConfirmedAt: null,
    ratesConfirmedBy: null,
    partnerId: null,
    madeBy: null,
    requestKey: null,
    ownDiscount: false,
    options: [],
    note: "",
    madeForLead: null,
    decision: null,
    contractId: null,
    term: null,
    revisedAt: null,
    searched: "",
    ...over,
  };
}
