import { z } from "zod";
import { Day } from "./fields.ts";
import { formatCount } from "./format-count.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

/**
 * Formats of a register. advances: CSV of money that came before its invoice; gstr1: JSON for the return of outward
 * supplies; tally: XML vouchers.
 */
export const RegisterFormat = z.enum(["csv", "advances", "gstr1", "tally"]);
export type RegisterFormat = z.infer<typeof RegisterFormat>;

/** Invoices and credit notes of these days in India, both included. */
export const RegisterPeriod = z
  .object({ from: Day, to: Day, format: RegisterFormat })
  .refine(({ from, to }) => from <= to, { path: ["to"], message: "The last day can't come before the first" })
  // An invalid day is reported elsewhere; here the difference is then NaN, which passes.
  .refine(({ from, to }) => !(Date.parse(to) - Date.parse(from) >= limits.registerDaysMax * 24 * 3_600_000), {
    path: ["to"],
    message: `Please choose at most ${limits.registerDaysMax} days`,
  });
export type RegisterPeriod = z.infer<typeof RegisterPeriod>;

export const registerOperations = {
  "admin/register": operation({
    method: "post",
    summary: `The register of invoices and credit notes of a period, as CSV, its advances as CSV, as GSTR-1 JSON of one month, or as vouchers for Tally; of ${formatCount(limits.registerDocumentsMax)} documents and transfers at most`,
    input: RegisterPeriod,
    answer: z.object({
      fileName: z.string(),
      type: z.string(),
      text: z.string(),
      invoices: z.number().int(),
      creditNotes: z.number().int(),
      advances: z.number().int(),
    }),
  }),
};
