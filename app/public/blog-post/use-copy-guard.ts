import { useEffect } from "react";
import { toast } from "../../toast.ts";
import { endEarlyGuard, guardCopying, guardTexts } from "./copy-guard.ts";

/** Guards an article while it is open, and shows the messages of the early guard. */
export function useCopyGuard(): void {
  useEffect(() => {
    const ending = new AbortController();
    const warn = (text: string) => toast.warning(text, { id: text });
    guardCopying(guardTexts, warn, ending.signal);
    for (const text of endEarlyGuard()) warn(text);
    return () => ending.abort();
  }, []);
}
