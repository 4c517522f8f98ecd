import { z } from "zod";
import { isValidGstin } from "./gstin.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { roles } from "./roles.ts";

// A page's Content-Security-Policy allows no code made from text, and a browser reports each try. Schemas ask when they
// are made: this file is loaded before those of the capabilities.
if ("document" in globalThis) z.config({ jitless: true });

// Control characters have no place in a name and would break mail headers; "|" separates the gateway's hashed fields;
// half a surrogate pair is no character, and PostgreSQL refuses it in JSON.
const plainText = /^[^\p{Cc}\p{Cs}|]*$/u;

/** One line of text, trimmed, 1 to `max` characters, without control characters or "|". */
export const line = (max: number, required: string = messages.requiredFields) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, `Please use at most ${max} characters`)
    .regex(plainText, "Please remove line breaks and the character |");

// Mail programs turn web addresses into links: a name must not carry somebody's advertisement into our mails.
const name = (max: number, required?: string) =>
  line(max, required).refine(
    (text) => !/https?:\/\/|www\./i.test(text),
    "Please leave web addresses out of this field",
  );

export const FirstName = name(limits.nameLengthMax, messages.firstNameRequired);
export const LastName = name(limits.nameLengthMax, messages.lastNameRequired);
export const FullName = name(limits.fullNameLengthMax);
export const OrganizationName = name(limits.organizationLengthMax, messages.organizationRequired);

/** Text of several lines, trimmed, without control characters other than line breaks and tabs. */
export const FreeText = z
  .string(messages.requiredFields)
  .trim()
  .min(1, messages.requiredFields)
  .max(limits.messageLengthMax, `Please use at most ${limits.messageLengthMax} characters`)
  .regex(/^(?:[\t\n\r]|[^\p{Cc}\p{Cs}])*$/u, "Please remove control characters");

/** How many there are, typed or counted. */
export const HeadCount = z
  // Coercing alone would take true and [7] for numbers.
  .union([z.number(), z.string()], "Please enter a number")
  .pipe(
    z.coerce
      .number<number | string>("Please enter a number")
      .int()
      .min(1, "Please enter a number of 1 or more")
      .max(limits.usersMax),
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

/** A phone number as typed; answers it in E.164: a number of ten digits without a country code is taken as Indian. */
export const phone = (lengthMin: number, tooShort: string) =>
  z
    .string(tooShort)
    .trim()
    .min(lengthMin, tooShort)
    .max(30, messages.phoneExample)
    .regex(/^\+?[\d\s().-]+$/, messages.phoneExample)
    .transform((typed) => {
      const digits = typed.replace(/\D/g, "");
      return !typed.startsWith("+") && digits.length === 10 ? `+91${digits}` : `+${digits}`;
    })
    .refine(
      (number) => new RegExp(`^\\+[1-9]\\d{6,${limits.phoneDigitsMax - 1}}$`).test(number),
      messages.phoneExample,
    );

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

/** Money on the wire: rupees with two decimals. Inside it is integer paise. */
export const Rupees = z.string().regex(/^\d{1,12}\.\d{2}$/);

/** A point in time, UTC, ISO 8601. */
export const Instant = z.iso.datetime();

/** What every list call may send; a call without any gets the first page. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.listLimitMax).default(limits.listLimitDefault),
  // It carries what the page ended with: at most an organisation's name, three bytes a character, as base64.
  cursor: z.string().max(600).optional(),
  search: z
    .string()
    .trim()
    .max(100)
    // PostgreSQL's text has no room for it.
    .refine((text) => !text.includes("\0"), "Please remove control characters")
    .optional(),
  sort: z.string().max(40).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** A list about one organisation, named by the e-mail of any of its people. */
export const ListByEmail = ListQuery.extend({ email: Email });
export type ListByEmail = z.infer<typeof ListByEmail>;

/** What every list answers beside its array; under a search `total` counts 10,000 at most. */
export const listPage = { nextCursor: z.string().nullable(), total: z.number().int() };

export const Message = z.object({ message: z.string() });
