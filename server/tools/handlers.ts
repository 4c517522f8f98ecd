import { eq } from "drizzle-orm";
import { type Handlers, signedIn } from "../call.ts";
import { customerTools } from "../database/schema/index.ts";

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
} satisfies Partial<Handlers>;
