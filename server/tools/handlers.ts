import { messages } from "../../contract/messages.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { activateDashboard, findCustomerTool, findTools, updateTool } from "./customer-tools.ts";

const toolOfCustomer = async (
  services: Services,
  { scope }: { scope: Scope<"customers" | "any"> },
  { email }: { email: string },
) => ({ customerTool: await findCustomerTool(services, scope, email) });

export const toolHandlers = {
  "user/get-users-dashboard-url": async ({ database }, { scope }) => {
    const tools = await findTools(database, scope);
    const tiles = [
      {
        on: tools?.siemEnabled,
        url: tools?.siemUrl,
        image: "/images/tile-siem.svg",
        message: "SIEM: search and investigate your logs",
      },
      {
        on: tools?.soarEnabled,
        url: tools?.soarUrl,
        image: "/images/tile-soar.svg",
        message: "SOAR: follow incidents and responses",
      },
    ];
    return tiles.flatMap(({ on, url, image, message }) => (on && url ? [{ url, image, message }] : []));
  },
  "partner/get-customer-tool": toolOfCustomer,
  "admin/getcustomertToolByEmailApi": toolOfCustomer,
  "admin/createCustomerToolByEmailApi": async (services, { scope }, { email }) => {
    await activateDashboard(services, scope, email);
    return { message: messages.dashboardActivated };
  },
  "admin/updateCustomerToolSiemByAdmin": async (
    services,
    { scope },
    { email, siemURL: url, siemStatus: enabled, version },
  ) => {
    await updateTool(services, scope, "siem", { email, url, enabled, version });
    return { message: messages.siemUpdated };
  },
  "admin/updateCustomerToolSoarByAdmin": async (
    services,
    { scope },
    { email, soarURL: url, soarStatus: enabled, version },
  ) => {
    await updateTool(services, scope, "soar", { email, url, enabled, version });
    return { message: messages.soarUpdated };
  },
} satisfies Partial<Handlers>;
