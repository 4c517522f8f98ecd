import { openedLater } from "../components/later.tsx";

export interface ViewedPdf {
  /** The name in the file store; null if there is no file. */
  fileName: string | null;
  title: string;
  /** The message if it can't be loaded. */
  failure: string;
  /** Finds the file's address; by default the operation of the reader's role does. */
  findAddress?: (signal: AbortSignal) => Promise<string>;
}

/** Shows a PDF that the reader's role may see, in a dialog. */
export const PdfViewer = openedLater<{ pdf: ViewedPdf | null; onClose: () => void }>(() => import("./pdf-dialog.tsx"), {
  pdf: null,
});
