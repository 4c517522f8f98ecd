import { toast } from "../toast.ts";

/** Puts a text on the clipboard, and says whether that went well. */
export const copyText = (text: string) =>
  navigator.clipboard.writeText(text).then(
    () => toast.success("Copied."),
    () => toast.error("It could not be copied. Please mark the text and copy it."),
  );
