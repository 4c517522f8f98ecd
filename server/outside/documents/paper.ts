import { type Brand, shippedBrand } from "../../../contract/brand.ts";
import { indiaZone, startOfWrittenDay } from "../../../contract/india-time.ts";
import { formatRupees } from "../../../contract/money.ts";

const day = new Intl.DateTimeFormat("en-IN", {
  timeZone: indiaZone,
  day: "numeric",
  month: "long",
  year: "numeric",
});
const time = new Intl.DateTimeFormat("en-GB", { timeZone: indiaZone, timeStyle: "medium" });

/** The company that issued a document; those from before site texts could be changed don't say it. */
export const supplierOf = ({ supplier }: { supplier?: Brand }) => supplier ?? shippedBrand;

/**
 * The company as the foot of each paper names it: with its CIN if there is one, which every business letter has to have
 * (Companies Act section 12(3)(c)).
 */
export const brandOnPaper = <Supplier extends object>(supplier: Supplier, cin: string | undefined) => ({
  ...supplier,
  ...(cin && { cin }),
});

/** A date in documents, in India's time: 21 November 2026. */
export const paperDate = (instant: Date) => day.format(instant);

/** The same for a day written as 2026-11-21. */
export const paperDay = (written: string) => paperDate(startOfWrittenDay(written));

/** A time in documents: 21 November 2026 at 14:05:09 in India. */
export const paperTime = (instant: Date) => `${day.format(instant)} at ${time.format(instant)} in India`;

/** An amount in documents, in rupees without the sign: 1,23,456.78. */
export const paperAmount = (paise: number) => formatRupees(paise).replace("₹", "");

/** The same for an amount that may be below zero: − 0.15. */
export const paperSigned = (paise: number) => `${paise < 0 ? "− " : ""}${paperAmount(Math.abs(paise))}`;

/** 1800 basis points → 18%. */
export const paperPercent = (basisPoints: number) => `${basisPoints / 100}%`;

/** Formats an E.164 number; an Indian one as usual in India: +91 98765 43210. */
export const paperPhone = (number: string) => number.replace(/^\+91(\d{5})(\d{5})$/, "+91 $1 $2");
