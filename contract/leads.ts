import { z } from "zod";
import { Email, FreeText, FullName, HeadCount, Message, NoticeVersion, OrganizationName } from "./fields.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

export const ContactRequest = z.object({
  userName: FullName,
  userEmail: Email,
  /** A phone number typed without a country code, with or without spaces and dashes; answers E.164. */
  phone: z
    .string(messages.phoneExactlyTenDigits)
    .trim()
    .regex(/^\d(?:[ -]?\d){9}$/, messages.phoneExactlyTenDigits)
    .transform((typed) => `+91${typed.replaceAll(/\D/g, "")}`),
  organization: OrganizationName,
  organizationSize: HeadCount,
  message: FreeText,
  noticeVersion: NoticeVersion,
  /** Chosen by the client for this one request: repeating the call sends no second one. */
  requestKey: z.uuid().optional(),
});
export type ContactRequest = z.infer<typeof ContactRequest>;

export const leadOperations = {
  contact: operation({
    method: "post",
    summary: "Ask to be contacted or shown a demo",
    input: ContactRequest,
    answer: Message,
  }),
};
