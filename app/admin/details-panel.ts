import { openedLater } from "../components/later.tsx";

export interface Subject {
  kind: "partner" | "customer" | "staff";
  email: string;
  /** The organisation's name. */
  name: string;
}

/** The side panel about a partner, a customer or our own people. */
export const DetailsPanel = openedLater<{ start: Subject | null; onClose: () => void }>(
  () => import("./details-drawer.tsx"),
  { start: null },
);
