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

/** Shows a message at the edge of the screen. The toast library is loaded with the first one. */
export const toast = { success: show("success"), error: show("error"), warning: show("warning"), info: show("info") };

/** Registers the listener, replacing any earlier one, that is called when toasts wait. */
export function listenForToasts(listener: () => void): void {
  wake = listener;
  if (waiting.length > 0) listener();
}

export const takeToasts = () => waiting.splice(0);
