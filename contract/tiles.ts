import { contentLimits } from "./content-limits.ts";
import { z } from "zod";
import { isOpenable } from "./addresses.ts";
import { Email, line, Message } from "./fields.ts";
import { limits } from "./limits.ts";
import { listOf, listPage } from "./lists.ts";
import { messages } from "./messages.ts";
import { operation } from "./operation.ts";
import { type TileIcon, tileIcons } from "./tile-icons.ts";

export type { TileIcon };
const icons = Object.keys(tileIcons) as [TileIcon, ...TileIcon[]];

export const NewTile = z.object({
  /** The e-mail of the customer who sees it; null for all customers. */
  email: Email.nullable(),
  title: line(contentLimits.tileTitleLengthMax),
  text: line(contentLimits.tileTextLengthMax),
  icon: z.enum(icons, "Please choose one of the pictures"),
  url: z
    .string(messages.toolUrlInvalid)
    .trim()
    .max(limits.toolUrlLengthMax, `Please use at most ${limits.toolUrlLengthMax} characters`)
    .refine(isOpenable, messages.toolUrlInvalid),
  /** Tiles are sorted by this number. */
  place: z
    .number("Please enter a whole number")
    .int("Please enter a whole number")
    .min(0, "Please enter 0 or more")
    .max(contentLimits.tilePlaceMax, `Please enter ${contentLimits.tilePlaceMax} or less`),
  shown: z.boolean("Please choose shown or hidden"),
});
export type NewTile = z.infer<typeof NewTile>;

/** A tile as an operator sees it. */
export const OperatorTile = NewTile.extend({
  id: z.uuid(),
  /** The customer who sees it; null for all customers. */
  organization_name: z.string().nullable(),
  email: z.string().nullable(),
  /** Counts changes: send it with a change to get 409 when somebody else has changed the tile meanwhile. */
  version: z.number().int(),
});
export type OperatorTile = z.infer<typeof OperatorTile>;

export const tileList = listOf(OperatorTile, {
  sorts: ["title", "place"],
  named: {},
  searched: ["title", "text", "url"],
});

const Seen = z.object({ id: z.uuid(), version: z.number().int().min(1) });

export const tileOperations = {
  "admin/tiles": operation({
    method: "get",
    summary: `The tiles of customers' dashboards besides SIEM and SOAR. ${tileList.summary}`,
    input: tileList.query,
    answer: z.object({ tiles: z.array(OperatorTile), ...listPage }),
  }),
  "admin/tiles/add": operation({
    method: "post",
    summary: "Add a tile for all customers or for one",
    input: NewTile,
    answer: Message.extend({ id: z.uuid() }),
    status: 201,
  }),
  "admin/tiles/change": operation({
    method: "post",
    summary: "Change a tile; 409 when `version` is no longer current",
    input: NewTile.extend(Seen.shape),
    answer: Message,
  }),
  "admin/tiles/remove": operation({
    method: "post",
    summary: "Remove a tile; 409 when `version` is no longer current",
    input: Seen,
    answer: Message,
  }),
};
