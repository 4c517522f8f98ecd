import { z } from "zod";
import { isValidGstin } from "./gstin.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";

// Control characters have no place in a name and would break mail headers; "|" separates the gateway's hashed fields.
const plainText = /^[^\p{Cc}|]*$/u;

/** One line of text, trimmed, 1 to `max` characters, without control characters or "|". */
export const line = (max: number, required: string = messages.requiredFields) =>
  z
    .string(required)
    .trim()
    .min(1, required)
    .max(max, `Please use at most ${max} characters`)
    .regex(plainText, "Please remove line breaks and the character |");

export const FirstName = line(limits.nameLengthMax, messages.firstNameRequired);
export const LastName = line(limits.nameLengthMax, messages.lastNameRequired);
export const OrganizationName = line(limits.organizationLengthMax, messages.organizationRequired);

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

/** Money on the wire: rupees with two decimals. Inside it is integer paise. */
export const Rupees = z.string().regex(/^\d{1,12}\.\d{2}$/);

/** A point in time, UTC, ISO 8601. */
export const Instant = z.iso.datetime();

/** What every list call may send; a call without any gets the first page. */
export const ListQuery = z.object({
  limit: z.coerce.number().int().min(1).max(limits.listLimitMax).default(limits.listLimitDefault),
  cursor: z.string().max(200).optional(),
  search: z.string().trim().max(100).optional(),
  sort: z.string().max(40).optional(),
});
export type ListQuery = z.infer<typeof ListQuery>;

/** What every list answers beside its array. */
export const listPage = { nextCursor: z.string().nullable(), total: z.number().int() };

export const Message = z.object({ message: z.string() });
