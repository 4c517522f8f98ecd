import { contentMessages } from "../../contract/content-messages.ts";
import { messages } from "../../contract/messages.ts";
import { tileImage } from "../../contract/tile-icons.ts";
import type { Scope } from "../access/scope.ts";
import type { Handlers } from "../call.ts";
import type { Services } from "../services.ts";
import { activateDashboard, findCustomerTool, findTools, updateTool } from "./customer-tools.ts";
import { addTile, changeTile, findTiles, listTiles, removeTile } from "./tiles.ts";

const toolOfCustomer = async (
  services: Services,
  { scope }: { scope: Scope<"customers" | "any"> },
  { email }: { email: string },
) => ({ customerTool: await findCustomerTool(services, scope, email) });

export const toolHandlers = {
  "user/get-users-dashboard-url": async (services, { scope }) => {
    const [tools, others] = await Promise.all([findTools(services.database, scope), findTiles(services, scope)]);
    const dashboards = [
      {
        on: tools?.siemEnabled,
        url: tools?.siemUrl,
        image: tileImage("siem"),
        message: "SIEM: search and investigate your logs",
      },
      {
        on: tools?.soarEnabled,
        url: tools?.soarUrl,
        image: tileImage("soar"),
        message: "SOAR: follow incidents and responses",
      },
    ];
    const own = dashboards.flatMap(({ on, url, image, message }) => (on && url ? [{ url, image, message }] : []));
    return [...own, ...others];
  },
  "admin/tiles": (services, { scope }, query) => listTiles(services, scope, query),
  "admin/tiles/add": async (services, { scope }, tile) => ({
    id: await addTile(services, scope, tile),
    message: tile.shown ? contentMessages.tileAdded : contentMessages.tileAddedHidden,
  }),
  "admin/tiles/change": async (services, { scope }, tile) => {
    await changeTile(services, scope, tile);
    return { message: contentMessages.tileChanged };
  },
  "admin/tiles/remove": async (services, { scope }, seen) => {
    await removeTile(services, scope, seen);
    return { message: contentMessages.tileRemoved };
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
