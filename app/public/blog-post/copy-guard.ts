import { messages } from "../../../contract/messages.ts";

/** The state of the guard that runs before React: messages not shown yet, and the controller that ends it. */
interface EarlyGuard {
  refused: string[];
  ending: AbortController;
}

export const guardTexts = { copying: messages.copyingNotAllowed, rightClick: messages.rightClickNotAllowed };

/**
 * Blocks copying and right-clicking with a warning. Only on an article's page, and only by mouse or touch: selecting,
 * the keyboard's context menu, searching, printing and reading aloud stay possible. Its source is also inlined into the
 * page, so it takes all it needs as arguments.
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
  // Without a selection, not every browser fires a copy event for the keys; with one, this event comes first.
  const refuseKeys = (event: KeyboardEvent) => {
    const isCopy = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
    if (isCopy && event.key.toLowerCase() === "c") refuse(event, texts.copying);
  };
  document.addEventListener("copy", (event) => refuse(event, texts.copying), { signal });
  document.addEventListener("keydown", refuseKeys, { signal });
  document.addEventListener("contextmenu", refuseMenu, { signal });
}

/** The inline script of a server-rendered page: guards until `endEarlyGuard` is called. */
export const earlyGuard = () =>
  `window.earlyGuard={refused:[],ending:new AbortController()};(${guardCopying.toString()})(${JSON.stringify(guardTexts)},(text)=>earlyGuard.refused.push(text),earlyGuard.ending.signal)`;

/** Ends the early guard, and returns the messages that it could not show. */
export function endEarlyGuard(): string[] {
  const { earlyGuard } = window as { earlyGuard?: EarlyGuard };
  earlyGuard?.ending.abort();
  return earlyGuard?.refused.splice(0) ?? [];
}
