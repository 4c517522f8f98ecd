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
 * For a form that goes away once it is sent: until the answer is there it takes nothing more, as what was typed meanwhile
 * would go with it. Unlike in a form that is disabled the focus stays where it is.
 */
export const heldWhileSent = (isSending: boolean) => (isSending ? held : {});
