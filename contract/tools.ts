import { z } from "zod";
import { operation } from "./operation.ts";

export const Tile = z.object({ url: z.string(), image: z.string(), message: z.string() });
export type Tile = z.infer<typeof Tile>;

export const toolOperations = {
  "user/get-users-dashboard-url": operation({
    method: "get",
    summary: "The dashboards switched on for the organisation",
    input: z.object({}),
    answer: z.array(Tile),
  }),
};
