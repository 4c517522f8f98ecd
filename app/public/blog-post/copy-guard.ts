import { messages } from "../../../contract/messages.ts";

/** What an article's page does before React is there: what was refused until then waits to be told. */
interface EarlyGuard {
  refused: string[];
  ending: AbortController;
}

export const guardTexts = { copying: messages.copyingNotAllowed, rightClick: messages.rightClickNotAllowed };

/**
 * Copying and right-clicking are answered by a warning instead. Only in the article's page and only by mouse or touch:
 * selecting, the keyboard's context menu, searching, printing and reading aloud stay as they are.
 * It is put into the page as text too, so it takes all it needs as arguments.
 */
export function guardCopying(texts: typeof guardTexts, warn: (text: string) => void, signal: AbortSignal): void {
  const refuse = (event: Event, text: string) => {
    event.preventDefault();
    warn(text);
  };
  const refuseMenu = (event: MouseEvent) => {
    const isByKeyboard = event instanceof PointerEvent && event.pointerType === "";
    const isInArticle = event.target instanceof Element && event.target.closest("main") !== null;
    if (isInArticle && !isByKeyboard) refuse(event, texts.rightClick);
  };
  // Pressed without a selection no copy event follows everywhere; pressed with one, this comes first.
  const refuseKeys = (event: KeyboardEvent) => {
    const isCopy = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isCopy && event.key.toLowerCase() === "c") refuse(event, texts.copying);
  };
  document.addEventListener("copy", (event) => refuse(event, texts.copying), { signal });
  document.addEventListener("keydown", refuseKeys, { signal });
  document.addEventListener("contextmenu", refuseMenu, { signal });
}

/** The script of a page that was rendered on the server: guards until `endEarlyGuard`. */
export const earlyGuard = () =>
  `window.earlyGuard={refused:[],ending:new AbortController()};(${guardCopying.toString()})(${JSON.stringify(guardTexts)},(text)=>earlyGuard.refused.push(text),earlyGuard.ending.signal)`;

/** What was refused before React came, to be told now. */
export function endEarlyGuard(): string[] {
  const { earlyGuard } = window as { earlyGuard?: EarlyGuard };
  earlyGuard?.ending.abort();
  return earlyGuard?.refused.splice(0) ?? [];
}
