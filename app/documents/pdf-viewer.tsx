import { openedLater } from "../components/later.tsx";

export interface ViewedPdf {
  /** Name in the file store; null where none is there. */
  fileName: string | null;
  title: string;
  /** What is said when it can't be loaded. */
  failure: string;
  /** Asks for its address; without it, the operation of the reader's role does. */
  findAddress?: (signal: AbortSignal) => Promise<string>;
}

/** Shows one of the PDFs that the reader's role may see, over the page. */
export const PdfViewer = openedLater<{ pdf: ViewedPdf | null; onClose: () => void }>(() => import("./pdf-dialog.tsx"), {
  pdf: null,
});
