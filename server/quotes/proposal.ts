import { amountInWords } from "../../contract/amount-in-words.ts";
import { brand } from "../../contract/brand.ts";
import { limits } from "../../contract/limits.ts";
import type { quotes } from "../database/schema/index.ts";
import { paperAmount, paperDate } from "../outside/documents/paper.ts";
import { quoteNumber } from "./quotes.ts";

type QuoteRow = typeof quotes.$inferSelect;

const included = [
  "Monitoring, threat detection and incident response around the clock, every day of the year.",
  "SIEM, SOAR and user behaviour analytics (UEBA), with dashboards of your own.",
  "Unlimited log ingestion: no extra charge for events per second or for daily volume.",
  "365 days of hot log retention; ingested logs are stored in India.",
  "Analysts in three tiers and a SOC manager who answers for the agreed service levels.",
  "Compliance reports for your audits.",
];

const terms = [
  `This proposal is valid for ${limits.quoteValidDays} days. It can be bought online, once, by whoever signs in with the e-mail address above.`,
  "The subscription runs for 12 months from the day the first log source is connected.",
  "Devices marked as subject to confirmation are priced at a default rate; the final rate is agreed before they are connected.",
  "Prices are in Indian rupees. GST is charged at the rate in force on the day of the invoice.",
];

/** What the proposal's template is filled with; amounts and dates are ready for paper. */
export function proposalData(quote: QuoteRow) {
  const services = [...new Set(quote.lines.map((line) => line.service))];
  return {
    brand,
    number: quoteNumber(quote.serial),
    date: paperDate(quote.createdAt),
    validUntil: paperDate(quote.validUntil),
    sampleRates: quote.sampleRates,
    customer: {
      organization: quote.organizationName,
      name: quote.userName,
      email: quote.userEmail,
      phone: quote.phoneNumber,
      users: quote.numberOfUsers.toLocaleString("en-IN"),
    },
    message: quote.message,
    groups: services.map((service) => ({
      service,
      lines: quote.lines
        .filter((line) => line.service === service)
        .map((line) => ({ ...line, rate: paperAmount(line.ratePaise), amount: paperAmount(line.amountPaise) })),
    })),
    devices: quote.lines.reduce((sum, line) => sum + line.number, 0).toLocaleString("en-IN"),
    subtotal: paperAmount(quote.subtotalPaise),
    discountPercent: `${quote.discountBasisPoints / 100}%`,
    discount: quote.discountPaise > 0 ? paperAmount(quote.discountPaise) : null,
    taxable: paperAmount(quote.subtotalPaise - quote.discountPaise),
    gst: paperAmount(quote.gstPaise),
    total: paperAmount(quote.totalPaise),
    totalInWords: amountInWords(quote.totalPaise),
    included,
    terms,
  };
}
