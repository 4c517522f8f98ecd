import { eq } from "drizzle-orm";
import { messages } from "../../contract/messages.ts";
import { type Call, type Handlers, signedIn } from "../call.ts";
import { customerTools } from "../database/schema/index.ts";
import type { Services } from "../services.ts";
import { activateDashboard, findCustomerTool, updateTool } from "./customer-tools.ts";

const toolOfCustomer = async (services: Services, call: Call, { email }: { email: string }) => ({
  customerTool: await findCustomerTool(services, signedIn(call), email),
});

export const toolHandlers = {
  "user/get-users-dashboard-url": async ({ database }, call) => {
    const { organisationId } = signedIn(call);
    const [tools] = await database.select().from(customerTools).where(eq(customerTools.organisationId, organisationId));
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
  "admin/createCustomerToolByEmailApi": async (services, call, { email }) => {
    await activateDashboard(services, signedIn(call), email);
    return { message: messages.dashboardActivated };
  },
  "admin/updateCustomerToolSiemByAdmin": async (
    services,
    call,
    { email, siemURL: url, siemStatus: enabled, version },
  ) => {
    await updateTool(services, signedIn(call), "siem", { email, url, enabled, version });
    return { message: messages.siemUpdated };
  },
  "admin/updateCustomerToolSoarByAdmin": async (
    services,
    call,
    { email, soarURL: url, soarStatus: enabled, version },
  ) => {
    await updateTool(services, signedIn(call), "soar", { email, url, enabled, version });
    return { message: messages.soarUpdated };
  },
} satisfies Partial<Handlers>;
