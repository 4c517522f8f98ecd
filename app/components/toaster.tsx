import { type CSSProperties, useEffect } from "react";
import { toast, Toaster as Toasts } from "sonner";
import { limits } from "../../contract/limits.ts";
import { listenForToasts, takeToasts } from "../toast.ts";

// The library's own greens, blues and ambers on their tints have less contrast than 4.5:1, and its width leaves little of
// the header where the window is not wide.
const look = {
  "--width": "min(356px, 40vw)",
  "--success-text": "light-dark(#0f5132, #8fe0b4)",
  "--info-text": "light-dark(#174a9f, #b0cdfb)",
  "--warning-text": "light-dark(#7d4300, #ffcf87)",
  "--error-text": "light-dark(#9b1c1c, #ffb1ab)",
} as CSSProperties;

/**
 * Shows the toasts of app/toast.ts: over the right end of the header, where they cover neither the buttons of a screen's
 * title, which regain the focus after their dialogs, nor the title of what is open. On a phone they are as wide as the
 * screen and stand below the header, whose menu must stay uncovered.
 */
export default function Toaster() {
  useEffect(() => {
    listenForToasts(() => {
      for (const { kind, text, options } of takeToasts()) toast[kind](text, options);
    });
  }, []);
  return (
    <Toasts
      position="top-right"
      duration={limits.toastMs}
      hotkey={["altKey", "KeyT"]}
      richColors
      closeButton
      theme="system"
      style={{ ...look, fontFamily: "inherit" }}
      offset={{ top: 8, right: 16 }}
      mobileOffset={{ top: 80 }}
    />
  );
}
