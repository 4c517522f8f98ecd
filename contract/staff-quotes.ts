import { z } from "zod";
import { customService, keyOf } from "./devices.ts";
import { Email, FreeText, FullName, HeadCount, Message, OrganizationName, phone, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { Price, PricedLine, SelectedDevice } from "./quotes.ts";
import { Yearly } from "./rates.ts";

/** A row of a quote that an administrator makes. */
export const OfferedDevice = SelectedDevice.extend({
  /** Offered as an option: not part of the total. */
  option: z.boolean(),
  /** The rate of a device typed in by hand; without it, the default rate applies, subject to confirmation. */
  yearly: Yearly.nullable(),
});
export type OfferedDevice = z.infer<typeof OfferedDevice>;

const OfferedDevices = z
  .array(OfferedDevice)
  .max(limits.deviceTypesMax)
  .refine((devices) => devices.some(({ option }) => !option), "Please choose at least one device that is no option")
  .refine(
    (devices) =>
      new Set(devices.map(({ service, deviceType }) => keyOf({ service, deviceType: deviceType.toLowerCase() })))
        .size === devices.length,
    "A device type may be listed once only",
  )
  .refine(
    (devices) => devices.every(({ service, yearly }) => yearly === null || service === customService),
    "Only a device typed in by hand has a rate of its own; the others have the rate card's",
  );

const Terms = z.object({
  devices: OfferedDevices,
  /** Replaces the card's volume discount; null keeps that one. */
  discountPercent: z
    .number("Please enter a number")
    .multipleOf(0.01, "Please use at most two decimals")
    .min(0, "Please enter 0 or more")
    .max(limits.ownDiscountPercentMax, `At most ${limits.ownDiscountPercentMax} per cent`)
    .nullable(),
});
export type Terms = z.infer<typeof Terms>;

const Note = z.union([z.literal(""), FreeText], `Please write at most ${limits.messageLengthMax} characters`);
/** The total shown to the caller: 409 when it has changed since. */
const shown = { total_cost: Rupees };

export const NewQuote = Terms.extend({
  /** Chosen by the client: repeating the call makes no second quote. */
  quote_id: z.uuid(),
  /** The lead that it is for; null creates a new one. */
  lead_id: z.uuid().nullable(),
  userName: FullName,
  userEmail: Email,
  organizationName: OrganizationName,
  phoneNumber: phone(limits.phoneLengthMin, messages.phoneExample),
  numberOfUsers: HeadCount,
  note: Note,
  ...shown,
});
export type NewQuote = z.infer<typeof NewQuote>;

export const QuoteRevision = Terms.extend({
  quote_id: z.uuid(),
  /** The revision that was read: 409 when there is a later one by now. */
  revision: z.number().int(),
  note: Note,
  ...shown,
});
export type QuoteRevision = z.infer<typeof QuoteRevision>;

export const OfferPrice = Price.extend({ options: z.array(PricedLine) });
export type OfferPrice = z.infer<typeof OfferPrice>;

export const staffQuoteOperations = {
  "admin/leads/price-quote": operation({
    method: "post",
    summary: "What a quote would come to; of one that is revised, its lines keep their rates",
    input: Terms.extend({ quote_id: z.uuid().nullable() }),
    answer: OfferPrice,
  }),
  "admin/leads/make-quote": operation({
    method: "post",
    summary: "Make a quote for somebody, for a lead or as a new one; its proposal is made and mailed",
    input: NewQuote,
    answer: Message.extend({ lead_id: z.uuid() }),
    status: 201,
  }),
  "admin/leads/revise-quote": operation({
    method: "post",
    summary: "Revise a quote that nobody has begun to pay; the proposal before is superseded, the new one is mailed",
    input: QuoteRevision,
    answer: Message,
  }),
};
