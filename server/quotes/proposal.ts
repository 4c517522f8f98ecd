import { amountInWords } from "../../contract/amount-in-words.ts";
import type { TaxShown } from "../../contract/billing.ts";
import { brand } from "../../contract/brand.ts";
import { formatCount } from "../../contract/format-count.ts";
import { limits } from "../../contract/limits.ts";
import { paiseFrom } from "../../contract/money.ts";
import { isOfYear } from "../../contract/proration.ts";
import { normalLines } from "../../contract/plain-text.ts";
import { undecidedTax } from "../billing/bill-to.ts";
import type { quotes } from "../database/schema/index.ts";
import {
  brandOnPaper,
  paperAmount,
  paperDate,
  paperDay,
  paperPercent,
  paperPhone,
  paperSigned,
} from "../outside/documents/paper.ts";
import { quoteNumber } from "../../contract/numbers.ts";

type QuoteRow = typeof quotes.$inferSelect;

const included = [
  ["Around the clock", "Monitoring, threat detection and incident response, 24 hours a day, every day."],
  ["SIEM, SOAR and UEBA", "Collection, automated response and behaviour analytics, with dashboards of your own."],
  ["Unlimited log ingestion", "No extra charge for events per second or for daily log volume."],
  ["365 days of hot logs", "Every ingested log stays at hand for a year, stored in India."],
  ["Agreed service levels", "Analysts in three tiers, and a SOC manager who answers for the service levels."],
  ["Compliance reports", "For hybrid, on-premises, SaaS and major cloud environments alike."],
];

/** The terms of a proposal, one sentence each. */
export const termsOf = (quote: QuoteRow) => [
  `This proposal is valid to the end of ${paperDate(quote.validUntil)} in India and can be bought once.`,
  ...termsOfContract(quote),
  ...(quote.ratesToConfirm
    ? [
        `Devices marked “subject to confirmation” stand at a default rate. We confirm their rates and send this proposal anew, valid for ${quote.validDays} days from then; it can be bought from then on.`,
      ]
    : []),
  "GST is shown at the rate in force on the date of this proposal.",
];

/** How long the contract runs; for devices added to a contract also how their price is computed. */
function termsOfContract({ term }: QuoteRow): string[] {
  if (!term) return ["The contract runs for 12 months, the shortest standard term."];
  const { kind, contractNumber, from, to, days, daysOfYear } = term;
  if (kind === "renew")
    return [
      `It renews the contract ${contractNumber} from ${paperDay(from)} to ${paperDay(to)}, at the prices of its date.`,
    ];
  return [
    `The devices are added to the contract ${contractNumber} from ${paperDay(from)} and end with it on ${paperDay(to)}. The first day stays, also where it is paid later.`,
    `Each line is the price of a year less the discount ÷ ${daysOfYear} days of the contract's year × ${days} days, rounded once to the paisa.`,
  ];
}

/** The wording for the period: a year, or the rest of one. */
function partOf({ term }: QuoteRow) {
  if (!term) return { period: "one year", head: "12 months of monitoring, detection and response for", contract: null };
  const { contractNumber, from, to, days, daysOfYear, discountBasisPoints } = term;
  const isYear = isOfYear(term);
  return {
    period: isYear ? "one year" : `${days} of ${daysOfYear} days`,
    head: isYear
      ? `The next 12 months of ${contractNumber}, to ${paperDay(to)}, for`
      : `Added to ${contractNumber} from ${paperDay(from)} to ${paperDay(to)} for`,
    contract: isYear
      ? null
      : {
          days: `${days} of ${daysOfYear} days`,
          discount: discountBasisPoints > 0 ? paperPercent(discountBasisPoints) : null,
        },
  };
}

/**
 * The data for the proposal's template, with amounts and dates formatted for paper. `tax` is the recipient's tax if it
 * is known; `partner` names the partner that had the proposal made for its customer.
 */
export function proposalData(
  quote: QuoteRow,
  {
    tax = undecidedTax(quote),
    cin = "",
    partner = null,
  }: { tax?: TaxShown; cin?: string; partner?: string | null } = {},
) {
  return {
    brand: brandOnPaper(brand, cin),
    number: quoteNumber(quote.serial),
    revision: quote.revision > 1 ? `revision ${quote.revision}` : null,
    date: paperDate(quote.revisedAt ?? quote.ratesConfirmedAt ?? quote.createdAt),
    replaces: quote.revisedAt && !quote.ratesConfirmedAt ? `revision ${quote.revision - 1}` : null,
    note: normalLines(quote.note),
    part: partOf(quote),
    validUntil: paperDate(quote.validUntil),
    sampleRates: quote.sampleRates,
    customer: {
      organization: quote.organizationName,
      name: quote.userName,
      email: quote.userEmail,
      phone: paperPhone(quote.phoneNumber),
      users: `${formatCount(quote.numberOfUsers)} ${quote.numberOfUsers === 1 ? "user" : "users"}`,
    },
    message: messageOf(quote),
    partner,
    groups: groupsOf(quote.lines),
    options: groupsOf(quote.options),
    discountName: quote.ownDiscount ? "Discount" : "Volume discount",
    ratesToConfirm: quote.ratesToConfirm,
    ratesConfirmed: quote.ratesConfirmedAt && paperDate(quote.ratesConfirmedAt),
    devices: formatCount(sum(quote.lines.map((line) => line.number))),
    subtotal: paperAmount(quote.subtotalPaise),
    discountPercent: paperPercent(quote.discountBasisPoints),
    discount: quote.discountPaise > 0 ? paperAmount(quote.discountPaise) : null,
    taxable: paperAmount(quote.subtotalPaise - quote.discountPaise),
    taxes: tax.taxes.map(({ name, percent, amount }) => ({ name: `${name} ${percent}%`, amount: onPaper(amount) })),
    taxNotes: tax.notes,
    roundOff: tax.roundOff && paperSigned(paiseFrom(tax.roundOff)),
    total: onPaper(tax.total),
    totalInWords: amountInWords(paiseFrom(tax.total)),
    included,
    terms: termsOf(quote),
  };
}

const onPaper = (rupees: string) => paperAmount(paiseFrom(rupees));

/** Messages from before lines were limited can have a thousand lines, which is twenty pages. */
function messageOf({ message }: QuoteRow): string {
  const lines = normalLines(message).split("\n");
  if (lines.length <= limits.messageLinesMax) return lines.join("\n");
  return [...lines.slice(0, limits.messageLinesMax), "", "… The message goes on; we have all of it."].join("\n");
}

/** The lines by service, in the order in which the services first appear. */
function groupsOf(lines: QuoteRow["lines"]) {
  return [...Map.groupBy(lines, (line) => line.service)].map(([service, own]) => ({
    service,
    amount: paperAmount(sum(own.map((line) => line.amountPaise))),
    lines: own.map(({ deviceType, number, unit, ratePaise, amountPaise, subjectToConfirmation }) => ({
      deviceType,
      number: formatCount(number),
      unit,
      rate: paperAmount(ratePaise),
      amount: paperAmount(amountPaise),
      subjectToConfirmation,
    })),
  }));
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);
