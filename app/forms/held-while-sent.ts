import type { KeyboardEvent, SyntheticEvent } from "react";

function refuse(event: SyntheticEvent): void {
  event.preventDefault();
  event.stopPropagation();
}

function refuseKey(event: KeyboardEvent): void {
  if (event.key !== "Tab" && event.key !== "Escape") refuse(event);
}

const held = {
  "aria-busy": true,
  onBeforeInputCapture: refuse,
  onClickCapture: refuse,
  onKeyDownCapture: refuseKey,
} as const;

/**
 * Props for a form that closes once it is sent: it takes no input until the answer, as that would be lost. Unlike a
 * disabled form, it keeps the focus.
 */
export const heldWhileSent = (isSending: boolean) => (isSending ? held : {});
