import { z } from "zod";
import { states } from "../contract/gstin.ts";

/* The format of the return as public descriptions of the portal's offline tool have it, written independently of the
   code that writes returns. GSTN publishes no schema: docs/money.md says what is uncertain. */

const money = z.number().refine((rupees) => Math.abs(rupees * 100 - Math.round(rupees * 100)) < 1e-4, "whole paise");
const positive = money.min(0);
const day = z.string().regex(/^[0-3]\d-[01]\d-20\d\d$/);
const number = z.string().regex(/^[A-Za-z0-9/-]{1,16}$/);
const place = z.string().refine((code) => code === "96" || code in states, "a state's code");
const rate = z.union([0, 0.25, 3, 5, 12, 18, 28, 40].map((each) => z.literal(each)));

/** Integrated tax, or central and state tax of the same sum. */
const between = { iamt: money };
const within = { camt: money, samt: money };
const eitherTax = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.union([z.strictObject({ ...shape, ...between }), z.strictObject({ ...shape, ...within })]);

const item = eitherTax({ rt: rate, txval: positive, csamt: z.literal(0) });
const items = z.array(z.strictObject({ num: z.number().int().positive(), itm_det: item })).min(1);
const invoice = { inum: number, idt: day, val: positive };
const note = { ntty: z.enum(["C", "D"]), nt_num: number, nt_dt: day, val: positive };
const registered = { pos: place, rchrg: z.enum(["Y", "N"]), inv_typ: z.enum(["R", "SEWP", "SEWOP", "DE", "CBW"]) };
const gstin = z.string().regex(/^\d{2}[0-9A-Z]{13}$/);

const advances = z
  .array(
    z.strictObject({
      pos: place,
      sply_ty: z.enum(["INTER", "INTRA"]),
      itms: z.array(eitherTax({ rt: rate, ad_amt: positive, csamt: z.literal(0) })).min(1),
    }),
  )
  .min(1);

const summary = z.array(
  z.strictObject({
    num: z.number().int().positive(),
    hsn_sc: z.string().regex(/^\d{4,8}$/),
    uqc: z.string(),
    qty: z.literal(0),
    rt: rate,
    txval: money,
    ...between,
    ...within,
    csamt: z.literal(0),
  }),
);

/** The document types of table 13: invoices, credit notes, receipt vouchers, refund vouchers. */
const natures = z.union([1, 5, 6, 8].map((each) => z.literal(each)));
const documents = z
  .strictObject({
    num: z.number().int().positive(),
    from: number,
    to: number,
    totnum: z.number().int().positive(),
    cancel: z.number().int().min(0),
    net_issue: z.number().int().min(0),
  })
  .refine(({ totnum, cancel, net_issue }) => totnum === cancel + net_issue, "the counts don't add up");

const Gstr1 = z.strictObject({
  gstin,
  fp: z.string().regex(/^(0[1-9]|1[0-2])20\d\d$/),
  b2b: z
    .array(
      z.strictObject({
        ctin: gstin,
        inv: z.array(z.strictObject({ ...invoice, ...registered, itms: items })).min(1),
      }),
    )
    .optional(),
  b2cl: z
    .array(z.strictObject({ pos: place, inv: z.array(z.strictObject({ ...invoice, itms: items })).min(1) }))
    .optional(),
  b2cs: z
    .array(
      eitherTax({
        sply_ty: z.enum(["INTER", "INTRA"]),
        typ: z.literal("OE"),
        pos: place,
        rt: rate,
        txval: money,
        csamt: z.literal(0),
      }),
    )
    .optional(),
  exp: z
    .array(
      z.strictObject({
        exp_typ: z.enum(["WPAY", "WOPAY"]),
        inv: z.array(z.strictObject({ ...invoice, itms: z.array(item).min(1) })).min(1),
      }),
    )
    .optional(),
  cdnr: z
    .array(z.strictObject({ ctin: gstin, nt: z.array(z.strictObject({ ...note, ...registered, itms: items })).min(1) }))
    .optional(),
  cdnur: z
    .array(
      z.union([
        z.strictObject({ typ: z.literal("B2CL"), ...note, pos: place, itms: items }),
        z.strictObject({ typ: z.enum(["EXPWP", "EXPWOP"]), ...note, itms: items }),
      ]),
    )
    .optional(),
  at: advances.optional(),
  txpd: advances.optional(),
  hsn: z.strictObject({ hsn_b2b: summary, hsn_b2c: summary }).optional(),
  doc_issue: z
    .strictObject({ doc_det: z.array(z.strictObject({ doc_num: natures, docs: z.array(documents).min(1) })).min(1) })
    .optional(),
});
export type Gstr1 = z.infer<typeof Gstr1>;

/**
 * Parses a written return.
 * @throws when it does not have this shape
 */
export const readGstr1 = (text: string): Gstr1 => Gstr1.parse(JSON.parse(text));
