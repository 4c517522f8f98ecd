import { z } from "zod";
import { contentLimits } from "./content-limits.ts";

/** A file's bytes in base64: the server detects its character encoding. */
export const CsvFile = z
  .base64("Please choose a CSV file")
  .min(1, "The file is empty")
  .max(
    Math.ceil(contentLimits.csvBytesMax / 3) * 4,
    `Please choose a file of at most ${contentLimits.csvBytesMax / 1024 / 1024} MB`,
  );

/** Size of a body with a file of `contentLimits.csvBytesMax`, as base64 within JSON. */
export const csvBodyBytesMax = Math.ceil(contentLimits.csvBytesMax / 3) * 4 + 1024;
