import { z } from "zod";
import { domainIn, hasAddress } from "./addresses.ts";
import { formatCount } from "./format-count.ts";
import { isValidGstin } from "./gstin.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { plainFault } from "./plain-faults.ts";
import { faultOf, normalLine, normalLines, withoutFaults } from "./plain-text.ts";
import { countDigits, internationalOf, isTooLong } from "./phone-numbers.ts";
import { noticeVersions } from "./privacy-notice.ts";
import { roles } from "./roles.ts";

// The pages' Content-Security-Policy forbids code made from text, and browsers report every attempt. Zod reads this
// setting when a schema is made, so this file has to load before those of the capabilities.
if ("document" in globalThis) z.config({ jitless: true });
z.config({ customError: plainFault });

const visible = (text: string, context: z.core.$RefinementCtx<string>) => {
  const fault = faultOf(text);
  if (fault) context.addIssue({ code: "custom", message: fault });
};

/**
 * Rejects long text before any pattern looks through it. Before normalising, it may be longer by its spaces and marks.
 */
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

/**
 * A search text, normalised as stored text is. PostgreSQL's text can't hold a zero character or half a surrogate pair.
 */
export const SearchText = z
  .string()
  .check(...bounded(limits.searchLengthMax, (text) => asKept(normalLine(withoutFaults(text)))))
  .refine((text) => !text.includes("\0"), "Please remove control characters");

/** People type thousands as 1,200 or 1 200. */
const withoutThousands = (typed: string) => typed.replaceAll(/(?<=\d)[, ](?=\d)/g, "");

/** A number of people, as a number or typed text. */
export const HeadCount = z
  // Coercion alone would accept true and [7] as numbers.
  .union([z.number(), z.string().transform(withoutThousands)], "Please enter a number")
  .pipe(
    z.coerce
      .number<number | string>("Please enter a number")
      .int("Please enter a whole number")
      .min(1, "Please enter a number of 1 or more")
      .max(limits.usersMax, `Please enter a number of ${formatCount(limits.usersMax)} or less`),
  );

/**
 * Compared without case. At most 50 characters: the payment gateway accepts no more, and cutting an address would break
 * its hash.
 */
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
 * A phone number as typed; answers it in E.164. Ten digits without a country code are taken as Indian. Indian and North
 * American numbers lose a superfluous country code or trunk prefix. `lengthMin` counts the national number's digits.
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

/** A field that may be left empty, which counts as not given: null. A filled one reaches its schema as it was typed. */
export const emptyAsNull = <Out>(schema: z.ZodType<Out, string>) =>
  z
    .string()
    .nullish()
    .transform((text) => (text?.trim() ? text : null))
    .pipe(schema.nullable());

const unknownNotice = "This version of the privacy notice is not known; please reload the page";
/** The privacy notice shown with the form; a client that showed none omits it. */
export const NoticeVersion = z
  .string(unknownNotice)
  .refine((version) => noticeVersions.includes(version), unknownNotice)
  .optional();

/**
 * Money on the wire: rupees with two decimals, with room for sums of many. Inside the product money is integer paise.
 */
export const Rupees = z
  .string()
  .regex(
    /^\d{1,13}\.\d{2}$/,
    "Please enter an amount in rupees, such as 1,250.50, of at most 13 digits before the point",
  );

/** A point in time, UTC, ISO 8601. */
export const Instant = z.iso.datetime();
/** An instant that somebody reports. PostgreSQL knows no year 0, and no log is older than 2000. */
export const ToldInstant = Instant.refine((written) => written >= "2000", "Please check the year");

/** A day in India, as 2026-11-22. PostgreSQL knows no year 0, and a written day has four digits for the year. */
export const Day = z.iso
  .date("Please choose a day")
  .refine((day) => day >= "1900" && day < "2200", "Please check the year");

export const Message = z.object({ message: z.string() });
