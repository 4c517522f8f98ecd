import { z } from "zod";
import { operation } from "./operation.ts";

/** PostgreSQL's text can't hold a null character. */
const FileName = z
  .string()
  .min(1)
  .max(200)
  .refine((name) => !name.includes("\0"), "This is no name of a file");

const signedUrl = (summary: string) =>
  operation({
    method: "post",
    summary,
    input: z.object({ fileName: FileName }),
    answer: z.object({ signedUrl: z.string() }),
  });

export const fileOperations = {
  "user/get-signed-url": signedUrl("A five-minute address of one of the organization's own PDFs"),
  "partner/get-signed-url": signedUrl("A five-minute address of a PDF of one of the partner's customers"),
  "admin/getSignedUrlByAdmin": signedUrl("A five-minute address of any proposal, invoice or report"),
};
