import { z } from "zod";
import { contentLimits } from "./content-limits.ts";
import { Day, line } from "./fields.ts";
import { limits } from "./limits.ts";
import { cinShape, ifscShape, type SellerTexts } from "./seller.ts";

/** The seller's details that an operator enters. */
export const Seller = z.object({
  cin: z
    .string()
    .trim()
    .toUpperCase()
    .refine((cin) => cin === "" || cinShape.test(cin), "A CIN has 21 characters, such as U62099KA2024PTC000000"),
  undertaking: z
    .object({ number: line(limits.documentNumberLengthMax), validFrom: Day, validTo: Day })
    .refine(({ validFrom, validTo }) => validFrom <= validTo, {
      path: ["validTo"],
      message: "The letter of undertaking can't end before it begins",
    })
    .nullable(),
  roundToRupee: z.boolean(),
  // Missing in sections saved before this field existed.
  bank: z
    .object({
      accountName: line(contentLimits.siteLineLengthMax),
      accountNumber: z
        .string()
        .trim()
        .regex(/^\d{6,18}$/, "An account number has 6 to 18 digits"),
      ifsc: z.string().trim().toUpperCase().regex(ifscShape, "An IFSC has 11 characters, such as ABCD0123456"),
      bankName: line(contentLimits.siteLineLengthMax),
    })
    .nullable()
    .default(null),
  creditDays: z
    .number("Please enter a number")
    .int("Please enter a whole number")
    .min(1, "Please enter a number from 1 to 180")
    .max(180, "Please enter a number from 1 to 180")
    .nullable()
    .default(null),
  deductions: z
    .array(
      z.object({
        section: line(limits.documentNumberLengthMax),
        percent: z
          .number("Please enter the percentage as a number, such as 10 or 0.1")
          .min(0.01, "Please enter more than zero")
          .max(40, "Please enter at most 40")
          .multipleOf(0.01, "Please use at most two decimals"),
        validFrom: Day,
      }),
    )
    .max(20, "There are at most 20 rows")
    .default([]),
  // Missing in sections saved before invoices were registered.
  eInvoices: z
    .object({
      from: Day,
      place: line(contentLimits.brandNameLengthMax).refine(
        (place) => place.length >= 3,
        "Please enter the town or city of the address",
      ),
      pinCode: z
        .string()
        .trim()
        .regex(/^[1-9]\d{5}$/, "A PIN code has six digits, such as 560025"),
    })
    .nullable()
    .default(null),
  // Missing in sections saved before there were certificates.
  retention: z
    .object({
      place: line(contentLimits.siteLineLengthMax),
      clock: line(contentLimits.siteLineLengthMax),
      signatory: line(contentLimits.siteLineLengthMax),
      designation: line(contentLimits.siteLineLengthMax),
    })
    .nullable()
    .default(null),
}) satisfies z.ZodType<SellerTexts>;
