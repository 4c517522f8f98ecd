import { customService } from "../../contract/devices.ts";
import { QuoteRequest, SelectedDevice } from "../../contract/quotes.ts";
import { fieldErrors } from "../forms/form-errors.ts";

/** The first message of each field. Loaded when something is sent or added: the page itself does without the schemas. */
export const quoteErrors = fieldErrors(QuoteRequest);

/** A custom device with its name tidied, or what is wrong with it. */
export function checkCustomDevice(deviceType: string, number: number): SelectedDevice | string {
  const device = SelectedDevice.safeParse({ service: customService, deviceType, number });
  return device.success ? device.data : (device.error.issues[0]?.message ?? "Please name the device type.");
}
