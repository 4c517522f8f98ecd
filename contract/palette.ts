import { z } from "zod";
import { SearchText } from "./fields.ts";
import { operation } from "./operation.ts";

/** What the command palette finds besides screens, in display order. */
export const foundKinds = ["number", "customer", "partner", "lead", "quote", "order", "contract", "incident"] as const;
export type FoundKind = (typeof foundKinds)[number];

const Found = z.object({
  /** Unique within its kind. */
  id: z.string(),
  kind: z.enum(foundKinds),
  title: z.string(),
  detail: z.string(),
  /** The path of the screen that shows it opened. */
  path: z.string(),
});
export type Found = z.infer<typeof Found>;

const find = (what: string) =>
  operation({
    method: "get",
    summary: `${what} by number, name, organization or e-mail: a few of each kind, numbers that fit exactly first`,
    input: z.object({ words: SearchText }),
    answer: z.object({ found: z.array(Found) }),
  });

export const paletteOperations = {
  "user/find": find("Quotes, orders, contracts, documents and incidents of one's organization"),
  "partner/find": find(
    "Customers, with their quotes that the partner made, their orders, contracts, documents and incidents",
  ),
  "admin/find": find(
    "Customers, partners, leads, quotes, orders, contracts, incidents, and invoices and other documents",
  ),
};
