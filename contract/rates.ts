import { z } from "zod";
import { customService } from "./devices.ts";
import { Day, Instant, line, Message, Rupees } from "./fields.ts";
import { limits } from "./limits.ts";
import { operation } from "./operation.ts";

/**
 * A device type's permanent key on the wire: a type that is renamed or moved keeps its key, and no other type ever gets
 * it. The specification's types have their names as keys.
 */
export const DeviceKey = z.object({ service: z.string(), deviceType: z.string() });
export type DeviceKey = z.infer<typeof DeviceKey>;

/** What the estimator offers: the types of the card in force that are not retired, in the card's order. */
export const Catalogue = z.object({
  groups: z.array(z.object({ name: z.string(), types: z.array(DeviceKey.extend({ name: z.string() })) })),
});
export type Catalogue = z.infer<typeof Catalogue>;

export const Yearly = Rupees.refine((yearly) => Number(yearly) <= limits.yearlyRupeesMax, "This price is too high");

const name = (what: string) => line(limits.deviceTypeLengthMax, `Please give the ${what} a name`);
const unit = line(limits.unitLengthMax, "Please say what is counted, for example device");

/** A type with the price of one for a year. */
export const RatedType = z.object({
  /** Null for a new type: the server makes its key from its group and name when the card is published. */
  key: DeviceKey.nullable(),
  name: name("device type"),
  unit,
  yearly: Yearly,
  /** Retired types stay on the card, so that their keys never get another meaning. */
  retired: z.boolean(),
});

/** A discount on the whole from this total number of devices on. */
export const VolumeTier = z.object({
  fromDevices: z
    .number()
    .int()
    .min(1)
    .max(limits.deviceCountMax * limits.deviceTypesMax),
  discountPercent: z.number().multipleOf(0.01).min(0).max(100),
});

const RatedGroup = z.object({ name: name("group"), types: z.array(RatedType).min(1) });

/** Everything that a card contains. */
export const RateCardContent = z.object({
  groups: z
    .array(RatedGroup)
    .min(1)
    .max(limits.deviceGroupsMax)
    .superRefine((groups, context) => {
      const fault = faultOfGroups(groups);
      if (fault) context.addIssue({ code: "custom", message: fault });
    }),
  /** The default for devices typed in by hand. */
  custom: z.object({ unit, yearly: Yearly }),
  tiers: z
    .array(VolumeTier)
    .max(limits.volumeTiersMax)
    .refine(
      (tiers) =>
        tiers.every((tier, index) => {
          const before = tiers[index - 1];
          return !before || (tier.fromDevices > before.fromDevices && tier.discountPercent > before.discountPercent);
        }),
      "Each tier needs more devices and a larger discount than the one before",
    ),
  /** In halves of a per cent, so that its central and state parts are whole hundredths. */
  gstPercent: z.number("Please enter a number").multipleOf(0.5).min(0).max(limits.gstPercentMax),
  /** Days for which a quote can be bought, to the end of the last one in India. */
  quoteValidDays: z.number("Please enter a number").int().min(1).max(limits.quoteValidDaysMax),
});
export type RateCardContent = z.infer<typeof RateCardContent>;

const folded = (text: string) => text.toLowerCase();

function faultOfGroups(groups: z.infer<typeof RatedGroup>[]): string | null {
  const names = groups.map((group) => folded(group.name));
  if (names.includes(folded(customService))) return `“${customService}” is the group of the devices typed in by hand`;
  const types = groups.flatMap((group) => group.types);
  if (types.length > limits.catalogueTypesMax) return `A card holds at most ${limits.catalogueTypesMax} device types`;
  if (types.every(({ retired }) => retired)) return "At least one device type has to be on offer";
  const repeated = names.findIndex((each, index) => names.indexOf(each) !== index);
  if (repeated >= 0) return `There are two groups with the name “${groups[repeated]?.name}”`;
  for (const group of groups) {
    const own = group.types.map((type) => folded(type.name));
    const twin = own.findIndex((each, index) => own.indexOf(each) !== index);
    if (twin >= 0) return `“${group.name}” has two device types with the name “${group.types[twin]?.name}”`;
  }
  return null;
}

/** coming: published, in force from a later day on; withdrawn: it never came into force. */
export const RateCardState = z.enum(["coming", "in_force", "past", "withdrawn"]);

/** A published card in the history. */
export const RateCardEntry = z.object({
  id: z.uuid(),
  /** What people call it: Card 3. */
  number: z.number().int(),
  state: RateCardState,
  /** The shipped SAMPLE prices, in use until the first card of the operator's own is in force. */
  isSample: z.boolean(),
  in_force_from: Instant,
  published_at: Instant,
  /** Null for the shipped card. */
  published_by: z.string().nullable(),
  /** Differences from the card before it, a sentence each. */
  changes: z.array(z.string()),
});
export type RateCardEntry = z.infer<typeof RateCardEntry>;

export const RateCard = z.object({ ...RateCardEntry.shape, content: RateCardContent });
export type RateCard = z.infer<typeof RateCard>;

/** The one card that is being prepared. */
export const RateCardDraft = z.object({
  /** A new id after each save. */
  id: z.uuid(),
  saved_at: Instant,
  saved_by: z.string(),
  content: RateCardContent,
});

export const Rates = z.object({
  inForce: RateCard,
  /** The starting point for the next card: the last one that is coming, or else the one in force. */
  latest: RateCard,
  draft: RateCardDraft.nullable(),
  /** Newest first, the latest hundred. */
  history: z.array(RateCardEntry),
});
export type Rates = z.infer<typeof Rates>;

/**
 * `id` is that of the draft that was edited, or of the latest card if there was no draft: 409 when it has changed
 * since.
 */
const Edited = z.object({ id: z.uuid() });

const Total = z.object({
  subtotal: Rupees,
  discountPercent: z.number(),
  discount: Rupees,
  gstPercent: z.number(),
  gst: Rupees,
  total: Rupees,
});
export type Total = z.infer<typeof Total>;

/** One of the latest estimates, priced with the card in force and with another one. */
export const EstimateAtRates = z.object({
  number: z.string(),
  organization_name: z.string(),
  devices: z.number().int(),
  before: Total,
  after: Total,
});
export type EstimateAtRates = z.infer<typeof EstimateAtRates>;

export const rateOperations = {
  catalogue: operation({
    method: "get",
    summary:
      "The device types that can be estimated now, by group; `service` and `deviceType` are what `estimator` takes",
    input: z.object({}),
    answer: Catalogue,
  }),
  "admin/rates": operation({
    method: "get",
    summary: "The rate card in force, the latest one, the draft, and all cards with who published them when",
    input: z.object({}),
    answer: Rates,
  }),
  "admin/rates/card": operation({
    method: "get",
    summary: "A published rate card",
    input: z.object({ id: z.uuid() }),
    answer: RateCard,
  }),
  "admin/rates/compare": operation({
    method: "post",
    summary:
      "What a card would change, and what three estimates would cost: of the latest hundred the one with the fewest devices, the middle one and the one with the most",
    input: z.object({ content: RateCardContent }),
    answer: z.object({ changes: z.array(z.string()), estimates: z.array(EstimateAtRates) }),
  }),
  "admin/rates/save-draft": operation({
    method: "post",
    summary: "Keep a card that is being prepared; nothing changes for customers",
    input: Edited.extend({ content: RateCardContent }),
    answer: Message.extend({ id: z.uuid() }),
  }),
  "admin/rates/discard-draft": operation({
    method: "post",
    summary: "Throw the draft away",
    input: Edited,
    answer: Message,
  }),
  "admin/rates/publish": operation({
    method: "post",
    summary:
      "Put the draft in force, at once or from the start of a day in India; quotes already made keep their prices",
    input: Edited.extend({ from: Day.nullable() }),
    answer: Message,
  }),
  "admin/rates/withdraw": operation({
    method: "post",
    summary: "Take back the last card that is not in force yet; it becomes the draft where there is none",
    input: z.object({ id: z.uuid() }),
    answer: Message,
  }),
};
