import { z } from "zod";
import { isOpenable } from "./addresses.ts";
import { Email, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";

export const Tile = z.object({ url: z.string(), image: z.string(), message: z.string() });
export type Tile = z.infer<typeof Tile>;

export const CustomerTool = z.object({
  soarURL: z.string(),
  soarStatus: z.boolean(),
  siemURL: z.string(),
  siemStatus: z.boolean(),
  /** Counts changes: send it with an update to get 409 when somebody else has changed the tool meanwhile. */
  version: z.number().int(),
});
export type CustomerTool = z.infer<typeof CustomerTool>;

/** An address for people to open: https, without a user name or password in it. Empty for a tool that is off. */
const ToolUrl = z
  .string(messages.toolUrlInvalid)
  .trim()
  .max(limits.toolUrlLengthMax, `Please use at most ${limits.toolUrlLengthMax} characters`)
  .refine((url) => url === "" || isOpenable(url), messages.toolUrlInvalid);

const Status = z.boolean("Please choose on or off");
const version = z.number().int().min(1).optional();

export const SiemUpdate = z
  .object({ email: Email, siemURL: ToolUrl, siemStatus: Status, version })
  .refine((tool) => !tool.siemStatus || tool.siemURL !== "", { path: ["siemURL"], message: messages.toolUrlMissing });

export const SoarUpdate = z
  .object({ email: Email, soarURL: ToolUrl, soarStatus: Status, version })
  .refine((tool) => !tool.soarStatus || tool.soarURL !== "", { path: ["soarURL"], message: messages.toolUrlMissing });

const ByEmail = z.object({ email: Email });
/** Empty when the dashboards are not yet activated. */
const CustomerTools = z.object({ customerTool: z.array(CustomerTool) });

export const toolOperations = {
  "user/get-users-dashboard-url": operation({
    method: "get",
    summary: "The dashboards switched on for the organization",
    input: z.object({}),
    answer: z.array(Tile),
  }),
  "partner/get-customer-tool": operation({
    method: "post",
    summary: "SIEM and SOAR of one of the partner's customers",
    input: ByEmail,
    answer: CustomerTools,
  }),
  "admin/getcustomertToolByEmailApi": operation({
    method: "post",
    summary: "SIEM and SOAR of a customer",
    input: ByEmail,
    answer: CustomerTools,
  }),
  "admin/createCustomerToolByEmailApi": operation({
    method: "post",
    summary: "Activate the dashboards of a customer; 409 when they are activated already",
    input: ByEmail,
    answer: Message,
    status: 201,
  }),
  "admin/updateCustomerToolSiemByAdmin": operation({
    method: "post",
    summary: "Set a customer's SIEM address and switch it on or off; 409 when `version` is no longer current",
    input: SiemUpdate,
    answer: Message,
  }),
  "admin/updateCustomerToolSoarByAdmin": operation({
    method: "post",
    summary: "Set a customer's SOAR address and switch it on or off; 409 when `version` is no longer current",
    input: SoarUpdate,
    answer: Message,
  }),
};
