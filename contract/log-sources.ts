import { contentLimits } from "./content-limits.ts";
import { CsvFile, csvBodyBytesMax } from "./csv-file.ts";
import { z } from "zod";
import { line, Message } from "./fields.ts";
import { listOf, listPage } from "./lists.ts";
import { operation } from "./operation.ts";

export const NewLogSource = z.object({
  product: line(contentLimits.logSourceLineLengthMax, "Please enter the product"),
  category: line(contentLimits.logSourceCategoryLengthMax, "Please enter the category"),
  /** Unique to each log source: capital letters, digits and underscores. */
  label: z
    .string("Please enter the label")
    .trim()
    .max(
      contentLimits.logSourceCategoryLengthMax,
      `Please use at most ${contentLimits.logSourceCategoryLengthMax} characters`,
    )
    .regex(
      /^[A-Z0-9]+(?:_[A-Z0-9]+)*$/,
      "Please use capital letters, digits and single underscores, such as ACME_DOOR",
    ),
  format: line(contentLimits.logSourceCategoryLengthMax, "Please enter the log format"),
});
export type NewLogSource = z.infer<typeof NewLogSource>;

export const OperatorLogSource = NewLogSource.extend({
  id: z.uuid(),
  label: z.string(),
  /** No longer shown to visitors. */
  retired: z.boolean(),
  /** Counts changes: send it with a change to get 409 when somebody else has changed the log source meanwhile. */
  version: z.number().int(),
});
export type OperatorLogSource = z.infer<typeof OperatorLogSource>;

export const logSourceList = listOf(OperatorLogSource, {
  sorts: ["product", "category", "label", "format"],
  named: {},
  searched: ["product", "category"],
});

const ListQuery = logSourceList.query.extend({ state: z.enum(["offered", "retired"]).optional() });
export type LogSourceQuery = z.output<typeof ListQuery>;

/** The columns of a file, in any order and any case; an optional column “State” may say “retired”. */
export const logSourceColumns = ["product", "category", "label", "format"] as const;

const Seen = z.object({ id: z.uuid(), version: z.number().int().min(1) });

const ImportInput = z.object({
  file: CsvFile,
  /** Retires the log sources that the file does not name. */
  retireOthers: z.boolean().default(false),
});
export type ImportInput = z.output<typeof ImportInput>;

/** What an import would do; shows only the first `contentLimits.previewRows` of each kind. */
export const ImportPreview = z.object({
  /** Version of the catalogue that the file was compared with: send it with the import. */
  version: z.number().int(),
  /** How the file was read, if that is worth telling. */
  note: z.string().nullable(),
  counts: z.object({
    rows: z.number().int(),
    added: z.number().int(),
    changed: z.number().int(),
    retired: z.number().int(),
    unchanged: z.number().int(),
    errors: z.number().int(),
  }),
  added: z.array(z.object({ label: z.string(), product: z.string() })),
  changed: z.array(z.object({ label: z.string(), changes: z.array(z.string()) })),
  retired: z.array(z.object({ label: z.string(), product: z.string() })),
  errors: z.array(z.object({ line: z.number().int(), error: z.string() })),
});
export type ImportPreview = z.infer<typeof ImportPreview>;

export const logSourceOperations = {
  "admin/log-sources": operation({
    method: "get",
    summary: `The catalogue of log sources, those retired too. ${logSourceList.summary}`,
    input: ListQuery,
    answer: z.object({ logSources: z.array(OperatorLogSource), ...listPage }),
  }),
  "admin/log-sources/add": operation({
    method: "post",
    summary: "Add a log source; 409 when its label is taken",
    input: NewLogSource,
    answer: Message.extend({ id: z.uuid() }),
    status: 201,
  }),
  "admin/log-sources/change": operation({
    method: "post",
    summary: "Change a log source; 409 when `version` is no longer current",
    input: NewLogSource.extend(Seen.shape),
    answer: Message,
  }),
  "admin/log-sources/retire": operation({
    method: "post",
    summary: "Take a log source off the site, or put it back; 409 when `version` is no longer current",
    input: Seen.extend({ retired: z.boolean() }),
    answer: Message,
  }),
  "admin/log-sources/preview": operation({
    method: "post",
    summary: "What the import of a CSV file would change, and what is wrong in which of its lines",
    input: ImportInput,
    answer: ImportPreview,
    bodyBytesMax: csvBodyBytesMax,
  }),
  "admin/log-sources/import": operation({
    method: "post",
    summary: "Import a CSV file as a whole; 409 when the catalogue is another one than that of the preview",
    input: ImportInput.extend({ version: z.number().int() }),
    answer: Message,
    bodyBytesMax: csvBodyBytesMax,
  }),
};
