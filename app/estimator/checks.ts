import { customService } from "../../contract/devices.ts";
import { QuoteRequest, SelectedDevice } from "../../contract/quotes.ts";
import { fieldErrors } from "../forms/form-errors.ts";

/** The first message of each field. Loaded when something is sent or added: the page itself needs no schemas. */
export const quoteErrors = fieldErrors(QuoteRequest);

/** A custom device with its name normalised, or the error message. */
export function checkCustomDevice(deviceType: string, number: number): SelectedDevice | string {
  const device = SelectedDevice.safeParse({ service: customService, deviceType, number });
  return device.success ? device.data : (device.error.issues[0]?.message ?? "Please name the device type.");
}
