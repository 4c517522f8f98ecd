import { z } from "zod";
import { Email, Instant, line, listPage, ListQuery, OrganizationName, phone, Rupees } from "./fields.ts";
import { deviceCatalogue, customService } from "./devices.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

const known = new Set(deviceCatalogue.flatMap((group) => group.deviceTypes.map((type) => `${group.service}|${type}`)));

/** One row of an estimate; a number of 0 never reaches the wire, the form removes it. */
export const SelectedDevice = z
  .object({
    service: line(60),
    deviceType: line(limits.deviceTypeLengthMax),
    number: z.number().int().min(1).max(limits.deviceCountMax),
  })
  .refine(({ service, deviceType }) => service === customService || known.has(`${service}|${deviceType}`), {
    path: ["deviceType"],
    message: "This device type is not in the estimator",
  });
export type SelectedDevice = z.infer<typeof SelectedDevice>;

export const SelectedDevices = z
  .array(SelectedDevice)
  .min(1, "Please select at least one device")
  .max(limits.deviceTypesMax)
  .refine(
    (devices) => new Set(devices.map((d) => `${d.service}|${d.deviceType.toLowerCase()}`)).size === devices.length,
    "A device type may be listed once only",
  );

export const QuoteRequest = z.object({
  userName: line(limits.nameLengthMax * 2),
  userEmail: Email,
  organizationName: OrganizationName,
  phoneNumber: phone(limits.phoneLengthMin, messages.phoneExample),
  numberOfUsers: z.coerce
    .number("Please enter a number")
    .int()
    .min(1, "Please enter a number of 1 or more")
    .max(limits.usersMax),
  message: z
    .string(messages.requiredFields)
    .trim()
    .min(1, messages.requiredFields)
    .max(limits.messageLengthMax)
    // oxlint-disable-next-line no-control-regex -- everything but line breaks and tabs among the control characters
    .regex(/^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]*$/, "Please remove control characters"),
  selectedDevices: SelectedDevices,
});
export type QuoteRequest = z.infer<typeof QuoteRequest>;

export const PricedLine = z.object({
  service: z.string(),
  deviceType: z.string(),
  number: z.number().int(),
  unit: z.string(),
  /** Rupees for one device and one year. */
  rate: Rupees,
  amount: Rupees,
  subjectToConfirmation: z.boolean(),
});

export const Price = z.object({
  lines: z.array(PricedLine),
  subtotal: Rupees,
  discountPercent: z.number(),
  discount: Rupees,
  taxable: Rupees,
  gstPercent: z.number(),
  gst: Rupees,
  total: Rupees,
  sampleRates: z.boolean(),
});
export type Price = z.infer<typeof Price>;

/** proposal: being prepared; open: can be bought until validUntil; a payment under way keeps it open. */
export const QuoteState = z.enum(["preparing", "open", "bought", "expired"]);

export const Quote = z.object({
  id: z.uuid(),
  organization_name: z.string(),
  user_name: z.string(),
  user_email: z.string(),
  phone_number: z.string(),
  number_of_users: z.number().int(),
  message: z.string(),
  total_cost: Rupees,
  pdf_url: z.string().nullable(),
  state: QuoteState,
  created_at: Instant,
  valid_until: Instant,
});
export type Quote = z.infer<typeof Quote>;

export const quoteOperations = {
  estimator: operation({
    method: "post",
    summary: "Send an estimate and get its proposal by e-mail",
    input: QuoteRequest,
    answer: z.object({ message: z.string(), quoteId: z.uuid() }),
    status: 201,
  }),
  "estimator/price": operation({
    method: "post",
    summary: "Price a selection of devices",
    input: z.object({ selectedDevices: SelectedDevices }),
    answer: Price,
  }),
  "user/get-estimation": operation({
    method: "post",
    summary: "The organisation's quotes, newest first",
    input: ListQuery,
    answer: z.object({ estimation: z.array(Quote), ...listPage }),
  }),
};
