import { contentLimits } from "./content-limits.ts";
import { z } from "zod";
import { isOpenable } from "./addresses.ts";
import { type BrandTexts, shippedBrand } from "./brand.ts";
import { type FaqAnswers, shippedFaq } from "./faq.ts";
import { Day, Email, Gstin, Instant, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { type LegalTexts, shippedNotices, shippedTermsVersion } from "./privacy-notice.ts";
import { shippedSeller } from "./seller.ts";
import { Seller } from "./seller-fields.ts";
import { type ServiceLevels, shippedServiceLevels } from "./service-levels.ts";
import type { SiteSection } from "./shown-texts.ts";

const Address = z
  .string(messages.linkInvalid)
  .trim()
  .max(limits.proofLinkLengthMax, `Please use at most ${limits.proofLinkLengthMax} characters`)
  .refine(isOpenable, messages.linkInvalid);

/** A phone number as displayed; links that dial it drop the spaces. */
const ShownPhone = z
  .string(messages.phoneExample)
  .trim()
  .regex(/^\+[1-9](?: ?\d){7,14}$/, "Please enter the number with its country code, such as +91 80 5550 0100");

const someLines = (min: number, max: number) =>
  z
    .array(line(contentLimits.siteLineLengthMax))
    .min(min, messages.requiredFields)
    .max(max, `Please use at most ${max} lines`);

const Brand = z.object({
  isSample: z.boolean(),
  name: line(contentLimits.brandNameLengthMax),
  legalName: line(contentLimits.siteLineLengthMax),
  gstin: Gstin,
  address: line(contentLimits.siteAddressLengthMax),
  website: Address,
  emails: z.object({ sales: Email, support: Email, privacy: Email }),
  phones: z
    .tuple([ShownPhone], ShownPhone)
    .refine(
      (phones) => phones.length <= contentLimits.sitePhonesMax,
      `Please use at most ${contentLimits.sitePhonesMax} numbers`,
    ),
  offices: z
    .array(z.object({ title: line(contentLimits.siteLineLengthMax), lines: someLines(1, 6) }))
    .min(1, "Please enter at least one office")
    .max(contentLimits.officesMax, `Please use at most ${contentLimits.officesMax} offices`)
    .refine(
      (offices) => new Set(offices.map(({ title }) => title)).size === offices.length,
      "Each office needs a title of its own",
    ),
  externalPages: z
    .array(z.object({ label: line(contentLimits.brandNameLengthMax), href: Address }))
    .max(contentLimits.officesMax, `Please use at most ${contentLimits.officesMax} links`)
    .refine(
      (pages) => new Set(pages.map(({ href }) => href)).size === pages.length,
      "Each link leads to a page of its own",
    ),
}) satisfies z.ZodType<BrandTexts>;

const answers = Object.fromEntries(
  shippedFaq.flatMap(({ faqs }) => faqs).map(({ id }) => [id, line(contentLimits.faqAnswerLengthMax).optional()]),
);
const Faq: z.ZodType<FaqAnswers, FaqAnswers> = z.object(answers);

const minutes = z
  .number("Please enter the minutes as a whole number")
  .int("Please enter the minutes as a whole number")
  .min(1, "Please enter 1 minute or more")
  .max(366 * 24 * 60, "Please enter a year at most");
const Level = z
  .object({
    severity: z.enum(["P1", "P2", "P3", "P4"]),
    name: line(contentLimits.brandNameLengthMax),
    means: line(contentLimits.faqAnswerLengthMax),
    acknowledgeMinutes: minutes,
    containMinutes: minutes.nullable(),
    resolveMinutes: minutes,
  })
  .refine(({ acknowledgeMinutes, containMinutes }) => acknowledgeMinutes < (containMinutes ?? Infinity), {
    path: ["containMinutes"],
    message: "An incident is contained after it is acknowledged",
  })
  .refine(
    ({ acknowledgeMinutes, containMinutes, resolveMinutes }) => (containMinutes ?? acknowledgeMinutes) < resolveMinutes,
    { path: ["resolveMinutes"], message: "An incident is resolved after it is contained" },
  );
const Levels = z.object({
  isSample: z.boolean(),
  levels: z
    .array(Level)
    .refine(
      (levels) => levels.map(({ severity }) => severity).join() === "P1,P2,P3,P4",
      "Please give the four severities P1 to P4 in their order",
    )
    .refine(
      (levels) => levels.every((level, index) => index === 0 || earlier(levels[index - 1], level)),
      "The graver the severity, the sooner it is resolved",
    ),
}) satisfies z.ZodType<ServiceLevels>;

const earlier = (one: { resolveMinutes: number } | undefined, other: { resolveMinutes: number }) =>
  one !== undefined && one.resolveMinutes < other.resolveMinutes;

const days = z
  .number("Please enter a number of days")
  .int("Please enter a whole number of days")
  .min(1, "Please enter 1 day or more")
  .max(3660, "Please enter ten years at most");
const firstOwnNotice = Object.keys(shippedNotices).at(-1) ?? "";
const Legal = z.object({
  notices: z
    .array(z.object({ version: Day, changes: line(contentLimits.faqAnswerLengthMax) }))
    .max(contentLimits.ownNoticesMax, `There are at most ${contentLimits.ownNoticesMax} versions`)
    .refine(
      (notices) => notices.every(({ version }, index) => version > (notices[index - 1]?.version ?? firstOwnNotice)),
      "Each version needs a later day than the one before it",
    ),
  termsVersion: Day,
  promises: z.object({ serverLogDays: days, backupDays: days, privacyAnswerDays: days }),
}) satisfies z.ZodType<LegalTexts>;

/** What an operator may write into each section. */
export const siteSections = { brand: Brand, faq: Faq, serviceLevels: Levels, legal: Legal, seller: Seller };

/** The content of each section until an operator changes it. */
export const shippedTexts = {
  get brand(): BrandTexts {
    const { isSample, name, legalName, gstin, address, website, emails, phones, offices, externalPages } = shippedBrand;
    return { isSample, name, legalName, gstin, address, website, emails, phones, offices, externalPages };
  },
  faq: {} as FaqAnswers,
  serviceLevels: shippedServiceLevels,
  legal: {
    notices: [],
    termsVersion: shippedTermsVersion,
    promises: shippedBrand.promises,
  } as LegalTexts,
  seller: shippedSeller,
};

const Section = z.enum(Object.keys(siteSections) as [SiteSection, ...SiteSection[]]);
const version = z.number().int().min(0);

/** A section with its new content. */
const Written = [
  z.object({ section: z.literal("brand"), content: Brand }),
  z.object({ section: z.literal("faq"), content: Faq }),
  z.object({ section: z.literal("serviceLevels"), content: Levels }),
  z.object({ section: z.literal("legal"), content: Legal }),
  z.object({ section: z.literal("seller"), content: Seller }),
] as const;
const [ofBrand, ofFaq, ofLevels, ofLegal, ofSeller] = Written;
const SavedSection = z.discriminatedUnion("section", [
  ofBrand.extend({ version }),
  ofFaq.extend({ version }),
  ofLevels.extend({ version }),
  ofLegal.extend({ version }),
  ofSeller.extend({ version }),
]);
export type SavedSection = z.output<typeof SavedSection>;
const WrittenSection = z.discriminatedUnion("section", Written);
export type WrittenSection = z.output<typeof WrittenSection>;

/** State of a section; version 0 is the shipped content. */
const held = { version, saved_at: Instant.nullable(), saved_by: z.string().nullable() };

/** One difference that a version made. */
export const TextChange = z.object({ field: z.string(), before: z.string(), after: z.string() });
export type TextChange = z.infer<typeof TextChange>;

const TextVersion = z.object({
  version,
  saved_at: Instant,
  saved_by: z.string().nullable(),
  changes: z.array(TextChange),
});
export type TextVersion = z.infer<typeof TextVersion>;

const SiteSettings = z.object({
  brand: z.object({ content: Brand, ...held }),
  faq: z.object({ content: Faq, ...held }),
  serviceLevels: z.object({ content: Levels, ...held }),
  legal: z.object({ content: Legal, ...held }),
  seller: z.object({ content: Seller, ...held }),
});
export type SiteSettings = z.infer<typeof SiteSettings>;

export const siteTextOperations = {
  "admin/settings": operation({
    method: "get",
    summary: "The texts of the site that an operator can change, as they are",
    input: z.object({}),
    answer: SiteSettings,
  }),
  "admin/settings/history": operation({
    method: "get",
    summary: "The versions of a section of the site's texts, the newest first",
    input: z.object({ section: Section }),
    answer: z.object({ versions: z.array(TextVersion) }),
  }),
  "admin/settings/preview": operation({
    method: "post",
    summary: "The page on which a section stands, as it is and as it would be, without scripts",
    input: WrittenSection,
    answer: z.object({ path: z.string(), before: z.string(), after: z.string() }),
  }),
  "admin/settings/save": operation({
    method: "post",
    summary: "Change a section of the site's texts; 409 when `version` is no longer current",
    input: SavedSection,
    answer: Message.extend({ version }),
  }),
  "admin/settings/restore": operation({
    method: "post",
    summary: "Put an earlier version of a section in force again, 0 for what is shipped; 409 as above",
    input: z.object({ section: Section, version, to: version }),
    answer: Message.extend({ version }),
  }),
};
