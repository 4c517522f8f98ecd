import { z } from "zod";
import { operation } from "./operation.ts";

export const fileOperations = {
  "user/get-signed-url": operation({
    method: "post",
    summary: "A five-minute address of one of the organisation's own PDFs",
    input: z.object({ fileName: z.string().min(1).max(200) }),
    answer: z.object({ signedUrl: z.string() }),
  }),
};
