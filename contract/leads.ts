import { z } from "zod";
import { Email, FreeText, FullName, HeadCount, Message, NoticeVersion, OrganizationName } from "./fields.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

export const ContactRequest = z.object({
  userName: FullName,
  userEmail: Email,
  /** Typed without a country code; answers E.164. */
  phone: z
    .string(messages.phoneExactlyTenDigits)
    .trim()
    .regex(/^\d{10}$/, messages.phoneExactlyTenDigits)
    .transform((digits) => `+91${digits}`),
  organization: OrganizationName,
  organizationSize: HeadCount,
  message: FreeText,
  noticeVersion: NoticeVersion,
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
