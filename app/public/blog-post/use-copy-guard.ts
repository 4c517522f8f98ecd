import { useEffect } from "react";
import { messages } from "../../../contract/messages.ts";
import { toast } from "../../toast.ts";

/**
 * Copying and right-clicking are answered by a warning instead. Only in the article's page and only by mouse or touch:
 * selecting, the keyboard's context menu, searching, printing and reading aloud stay as they are.
 */
export function useCopyGuard(): void {
  useEffect(() => {
    const refuse = (event: Event, text: string) => {
      event.preventDefault();
      toast.warning(text, { id: text });
    };
    const refuseCopy = (event: Event) => refuse(event, messages.copyingNotAllowed);
    // Pressed without a selection no copy event follows everywhere; pressed with one, this comes first.
    const refuseKeys = (event: KeyboardEvent) => {
      const isCopy = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (isCopy && event.key.toLowerCase() === "c") refuseCopy(event);
    };
    const refuseMenu = (event: MouseEvent) => {
      const isByKeyboard = event instanceof PointerEvent && event.pointerType === "";
      const isInArticle = event.target instanceof Element && event.target.closest("main") !== null;
      if (isInArticle && !isByKeyboard) refuse(event, messages.rightClickNotAllowed);
    };
    document.addEventListener("copy", refuseCopy);
    document.addEventListener("keydown", refuseKeys);
    document.addEventListener("contextmenu", refuseMenu);
    return () => {
      document.removeEventListener("copy", refuseCopy);
      document.removeEventListener("keydown", refuseKeys);
      document.removeEventListener("contextmenu", refuseMenu);
    };
  }, []);
}
