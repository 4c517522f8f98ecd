import { toast } from "../toast.ts";

/** Copies a text to the clipboard and tells whether that worked. */
export const copyText = (text: string) =>
  navigator.clipboard.writeText(text).then(
    () => toast.success("Copied."),
    () => toast.error("It could not be copied. Please mark the text and copy it."),
  );
