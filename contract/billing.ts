import { z } from "zod";
import { countryCode, india } from "./countries.ts";
import { Day, Email, emptyAsNull, Gstin, line, OrganizationName, Rupees } from "./fields.ts";
import { isState } from "./gstin.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

/** How GST classes a buyer. sez: a unit or developer in a special economic zone, which has a GSTIN of its own. */
export const BuyerKind = z.enum(["registered", "unregistered", "sez", "abroad"], "Please choose what the company is");
export type BuyerKind = z.infer<typeof BuyerKind>;

const upper = z.string().trim().toUpperCase();
const Pan = upper.regex(/^[A-Z]{5}\d{4}[A-Z]$/, "A PAN has five letters, four digits and a letter, such as AAPFU0939F");
const Country = z.string().transform((written, context) => {
  const code = countryCode(written);
  if (code === null) context.addIssue({ code: "custom", message: "Please choose a country" });
  return code ?? "";
});
/**
 * Line breaks of a typed address become commas: documents print it in a paragraph. A pattern that also takes the spaces
 * around them needs the square of a long text's time, which holds up everybody.
 */
const Address = z
  .string(messages.requiredFields)
  .transform((typed) =>
    typed
      .split(/[\r\n]/)
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .join(", "),
  )
  .pipe(line(limits.billingAddressLengthMax));
/** A letter of undertaking, by which a unit in a special economic zone buys without paying integrated tax. */
export const Undertaking = z
  .object({ number: line(limits.documentNumberLengthMax), date: Day, validTo: Day })
  .refine(({ date, validTo }) => date <= validTo, {
    path: ["validTo"],
    message: "The letter of undertaking can't end before its date",
  });
export type Undertaking = z.infer<typeof Undertaking>;

export const PurchaseOrderNumber = line(limits.documentNumberLengthMax);

const Details = z.object({
  legalName: OrganizationName,
  address: Address,
  pinCode: emptyAsNull(line(limits.pinCodeLengthMax)),
  stateCode: emptyAsNull(z.string().trim().refine(isState, "Please choose a state")),
  gstin: emptyAsNull(Gstin),
  kind: BuyerKind.nullish(),
  country: emptyAsNull(Country),
  pan: emptyAsNull(Pan),
  /** Used on the next orders unless they say otherwise. */
  purchaseOrder: emptyAsNull(PurchaseOrderNumber),
  undertaking: Undertaking.nullish(),
});

type Given = z.output<typeof Details>;

/** Checks the rules between fields, and fills in what the caller left open. */
const settled = <Sent extends z.ZodType<Given>>(schema: Sent) =>
  schema
    .superRefine((given, context) => {
      for (const [path, message] of faultsOf(given)) context.addIssue({ code: "custom", path: [path], message });
    })
    .transform(({ ...given }) => {
      const kind = kindOf(given);
      return {
        ...given,
        kind,
        country: kind === "abroad" ? given.country : india,
        stateCode: kind === "abroad" ? null : given.stateCode,
        // Characters 3 to 12 of a GSTIN are its holder's PAN.
        pan: given.gstin?.slice(2, 12) ?? given.pan,
        undertaking: kind === "sez" ? (given.undertaking ?? null) : null,
      };
    });

/**
 * What an invoice says about its recipient. All fields but name and address are optional; in India the state is
 * required.
 */
export const BillingDetails = settled(Details);
export type BillingDetails = z.output<typeof BillingDetails>;

/** The kind the buyer states, otherwise the one that its country and GSTIN imply. */
function kindOf({ kind, gstin, country }: Pick<Given, "kind" | "gstin" | "country">): BuyerKind {
  if (kind) return kind;
  if (country && country !== india) return "abroad";
  return gstin ? "registered" : "unregistered";
}

function faultsOf(given: Given): [field: string, sentence: string][] {
  const kind = kindOf(given);
  return kind === "abroad" ? faultsAbroad(given) : faultsInIndia(given, kind);
}

function faultsAbroad({ country, gstin }: Given): [field: string, sentence: string][] {
  const faults: [string, string][] = [];
  if (!country) faults.push(["country", "Please choose a country"]);
  if (country === india)
    faults.push(["country", "Please choose a country outside India, or say that the company is in India"]);
  if (gstin) faults.push(["gstin", "A company outside India has no GSTIN; please leave it empty"]);
  return faults;
}

function faultsInIndia({ stateCode, gstin, country, pinCode, pan }: Given, kind: BuyerKind) {
  const faults: [string, string][] = [];
  if (!stateCode) faults.push(["stateCode", "Please choose a state"]);
  if (country && country !== india)
    faults.push(["country", "A company in another country is “outside India”; please choose that"]);
  if (pinCode && !/^[1-9]\d{5}$/.test(pinCode)) faults.push(["pinCode", "A PIN code has six digits, such as 682001"]);
  if (kind === "unregistered" && gstin)
    faults.push(["gstin", "Who has a GSTIN is registered; please choose that, or leave the GSTIN empty"]);
  if (kind !== "unregistered" && !gstin) faults.push(["gstin", "Please enter the GSTIN"]);
  if (gstin && stateCode && gstin.slice(0, 2) !== stateCode)
    faults.push(["gstin", "The first two digits of this GSTIN are another state's; please correct one of the two"]);
  if (gstin && pan && gstin.slice(2, 12) !== pan)
    faults.push(["pan", "This is not the PAN inside the GSTIN; please correct one of the two"]);
  return faults;
}

/** Billing details as stored; where nobody has given any, prefilled with what is already known. */
export const Billing = z.object({
  given: z.boolean(),
  legalName: z.string(),
  address: z.string(),
  pinCode: z.string().nullable(),
  /** GST state code; null outside India. */
  stateCode: z.string().nullable(),
  gstin: z.string().nullable(),
  kind: BuyerKind.nullable(),
  /** ISO 3166, two letters. */
  country: z.string().nullable(),
  pan: z.string().nullable(),
  purchaseOrder: z.string().nullable(),
  undertaking: z.object({ number: z.string(), date: z.string(), validTo: z.string() }).nullable(),
  version: z.number().int(),
});
export type Billing = z.infer<typeof Billing>;

export const TaxLine = z.object({
  /** CGST, SGST, UTGST or IGST; GST while its split is not decided yet. */
  name: z.string(),
  percent: z.number(),
  amount: Rupees,
});

/** The taxes on a sum, with notes that explain what decides them. */
export const TaxShown = z.object({
  taxes: z.array(TaxLine),
  notes: z.array(z.string()),
  /** Rupees with their sign; null where nothing is rounded. */
  roundOff: z.string().nullable(),
  total: Rupees,
});
export type TaxShown = z.infer<typeof TaxShown>;

/** 409 when somebody has saved newer details since this version; without it the last write wins. */
const asOf = { version: z.number().int().optional() };
const Saved = settled(Details.extend(asOf));
const SavedFor = settled(Details.extend({ ...asOf, email: Email }));
const ofCustomer = z.object({ email: Email });

export const billingOperations = {
  "user/billing": operation({
    method: "get",
    summary: "What the organization's invoices say of it",
    input: z.object({}),
    answer: Billing,
  }),
  "user/billing/save": operation({
    method: "put",
    summary: "Give or change the billing details; 422 names a wrong check digit, or a GSTIN of another state",
    input: Saved,
    answer: Billing,
  }),
  "partner/billing": operation({
    method: "get",
    summary: "The billing details of one of the partner's customers",
    input: ofCustomer,
    answer: Billing,
  }),
  "partner/billing/save": operation({
    method: "put",
    summary: "Give or change the billing details of one of the partner's customers",
    input: SavedFor,
    answer: Billing,
  }),
  "admin/billing": operation({
    method: "get",
    summary: "The billing details of a customer",
    input: ofCustomer,
    answer: Billing,
  }),
  "admin/billing/save": operation({
    method: "put",
    summary: "Give or change the billing details of a customer",
    input: SavedFor,
    answer: Billing,
  }),
};
