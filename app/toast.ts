export interface ToastMessage {
  kind: "success" | "error" | "warning" | "info";
  text: string;
  options: { id?: string; description?: string } | undefined;
}

const waiting: ToastMessage[] = [];
let wake = () => {};

const show = (kind: ToastMessage["kind"]) => (text: string, options?: ToastMessage["options"]) => {
  waiting.push({ kind, text, options });
  wake();
};

/** Says something at the edge of the screen. The library behind it arrives with the first one. */
export const toast = { success: show("success"), error: show("error"), warning: show("warning"), info: show("info") };

/** Tells a listener, the last one that came, that toasts wait. */
export function listenForToasts(listener: () => void): void {
  wake = listener;
  if (waiting.length > 0) listener();
}

export const takeToasts = () => waiting.splice(0);
