import { z } from "zod";
import { domainIn, hasAddress } from "./addresses.ts";
import { isValidGstin } from "./gstin.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { plainFault } from "./plain-faults.ts";
import { faultOf, normalLine, normalLines, withoutFaults } from "./plain-text.ts";
import { countDigits, internationalOf, isTooLong } from "./phone-numbers.ts";
import { noticeVersions } from "./privacy-notice.ts";
import { roles } from "./roles.ts";

// A page's Content-Security-Policy allows no code made from text, and a browser reports each try. Schemas ask when they
// are made: this file is loaded before those of the capabilities.
if ("document" in globalThis) z.config({ jitless: true });
z.config({ customError: plainFault });

const visible = (text: string, context: z.core.$RefinementCtx<string>) => {
  const fault = faultOf(text);
  if (fault) context.addIssue({ code: "custom", message: fault });
};

/** Nothing is looked for in a text that is too long; before its spelling is made one it may be longer, by spaces and marks. */
function bounded(max: number, normal: (text: string) => string) {
  const tooLong = { error: `Please use at most ${max} characters`, abort: true };
  return [z.maxLength(4 * max, tooLong), z.overwrite(normal), z.maxLength(max, tooLong)] as const;
}

/** One line of text, in NFC, 1 to `max` characters. "|" separates the gateway's hashed fields; a line break would end a mail's header. */
export const line = (max: number, required: string = messages.requiredFields) =>
  z
    .string(required)
    .check(...bounded(max, normalLine))
    .min(1, required)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}|]*$/u, "Please remove line breaks and the character |")
    .superRefine(visible);

const name = (max: number, required: string = messages.requiredFields) =>
  line(max, required)
    .regex(/[\p{L}\p{N}]/u, required)
    .refine((text) => !hasAddress(text), "Please leave web addresses out of this field");

const personName = (max: number, required?: string) =>
  name(max, required).superRefine((text, context) => {
    const domain = domainIn(text);
    if (domain)
      context.addIssue({
        code: "custom",
        message: `Please put a space after the dot in “${domain}”: it reads as a web address`,
      });
  });

export const FirstName = personName(limits.nameLengthMax, messages.firstNameRequired);
export const LastName = personName(limits.nameLengthMax, messages.lastNameRequired);
export const FullName = personName(limits.fullNameLengthMax);
export const OrganizationName = name(limits.organizationLengthMax, messages.organizationRequired);

/** Text of several lines, in NFC, with line feeds and tabs but no other control characters. */
export const FreeText = z
  .string(messages.requiredFields)
  .check(...bounded(limits.messageLengthMax, normalLines))
  .min(1, messages.requiredFields)
  .regex(/^(?:[\t\n]|\P{Cc})*$/u, "Please remove control characters")
  .refine(
    (text) => text.split("\n").length <= limits.messageLinesMax,
    `Please use at most ${limits.messageLinesMax} lines`,
  )
  .superRefine(visible);

/** A phone number is kept without the spaces that forms suggest. */
const asKept = (text: string) => (/^\+?(?:\d ?){8,}$/.test(text) ? text.replaceAll(" ", "") : text);

/** What is searched for: as it would be kept. PostgreSQL's text has no room for a zero character, nor for half a pair. */
export const SearchText = z
  .string()
  .check(...bounded(limits.searchLengthMax, (text) => asKept(normalLine(withoutFaults(text)))))
  .refine((text) => !text.includes("\0"), "Please remove control characters");

/** 1,200 and 1 200 are numbers to whoever types them. */
const withoutThousands = (typed: string) => typed.replaceAll(/(?<=\d)[, ](?=\d)/g, "");

/** How many there are, typed or counted. */
export const HeadCount = z
  // Coercing alone would take true and [7] for numbers.
  .union([z.number(), z.string().transform(withoutThousands)], "Please enter a number")
  .pipe(
    z.coerce
      .number<number | string>("Please enter a number")
      .int("Please enter a whole number")
      .min(1, "Please enter a number of 1 or more")
      .max(limits.usersMax, `Please enter a number of ${limits.usersMax.toLocaleString("en-IN")} or less`),
  );

/** Compared without case. At most 50 characters: the payment gateway takes no longer one, and cutting it would break its hash. */
export const Email = z
  .string(messages.emailInvalid)
  .trim()
  .toLowerCase()
  .max(limits.emailLengthMax, `Please use an email address of at most ${limits.emailLengthMax} characters`)
  .pipe(
    z.email({
      error: messages.emailInvalid,
      pattern: /^[\w.!#$%&'*+/=?^`{}~-]+@[a-z\d](?:[a-z\d-]*[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]*[a-z\d])?)+$/,
    }),
  );

/**
 * A phone number as typed; answers it in E.164: a number of ten digits without a country code is taken as Indian.
 * India's and North America's lose a country code or trunk prefix too much. `lengthMin` counts the national number's digits.
 */
export const phone = (lengthMin: number, tooShort: string) =>
  z
    .string(tooShort)
    .trim()
    .min(lengthMin, tooShort)
    .max(30, messages.phoneExample)
    .regex(/^\+?[\d\s().-]+$/, messages.phoneExample)
    .transform(internationalOf)
    .refine((number) => countDigits(number) >= lengthMin, { error: tooShort, abort: true })
    .refine((number) => /^\+[1-9]\d{6,}$/.test(number) && !isTooLong(number), messages.phoneExample);

export const Password = z
  .string("Please enter a password")
  .min(limits.passwordLengthMin, `Please use at least ${limits.passwordLengthMin} characters`)
  .max(limits.passwordLengthMax, `Please use at most ${limits.passwordLengthMax} characters`);

export const Gstin = z
  .string()
  .trim()
  .toUpperCase()
  .refine(isValidGstin, "This is not a valid GSTIN; please check all 15 characters");

export const Role = z.enum(roles);

const unknownNotice = "This version of the privacy notice is not known; please reload the page";
/** Which privacy notice was on the screen when the form was sent; a client that showed none leaves it out. */
export const NoticeVersion = z
  .string(unknownNotice)
  .refine((version) => noticeVersions.includes(version), unknownNotice)
  .optional();

/** Money on the wire: rupees with two decimals, also a sum of many. Inside it is integer paise. */
export const Rupees = z
  .string()
  .regex(
    /^\d{1,13}\.\d{2}$/,
    "Please enter an amount in rupees, such as 1,250.50, of at most 13 digits before the point",
  );

/** A point in time, UTC, ISO 8601. */
export const Instant = z.iso.datetime();
/** An instant that somebody tells. PostgreSQL knows no year 0, and no log is as old as this. */
export const ToldInstant = Instant.refine((written) => written >= "2000", "Please check the year");

/** A day in India, as 2026-11-22. PostgreSQL knows no year 0, and written days have no fifth digit. */
export const Day = z.iso
  .date("Please choose a day")
  .refine((day) => day >= "1900" && day < "2200", "Please check the year");

export const Message = z.object({ message: z.string() });
