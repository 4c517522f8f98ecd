import { z } from "zod";
import { operation } from "./operation.ts";

const signedUrl = (summary: string) =>
  operation({
    method: "post",
    summary,
    input: z.object({ fileName: z.string().min(1).max(200) }),
    answer: z.object({ signedUrl: z.string() }),
  });

export const fileOperations = {
  "user/get-signed-url": signedUrl("A five-minute address of one of the organisation's own PDFs"),
  "partner/get-signed-url": signedUrl("A five-minute address of a PDF of one of the partner's customers"),
  "admin/getSignedUrlByAdmin": signedUrl("A five-minute address of any proposal, invoice or report"),
};
