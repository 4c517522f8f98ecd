import { call } from "../../api.ts";
import ConfirmDialog from "../../components/confirm-dialog.tsx";
import { useDoing } from "../../components/use-doing.ts";
import type { CardEditor } from "./use-card-editor.ts";

export interface DiscardDialogProps {
  opened: boolean;
  onClose: () => void;
  editor: CardEditor;
}

/** Asks before the draft is discarded: all that was prepared goes with it. */
export default function DiscardDialog({ opened, onClose, editor }: DiscardDialogProps) {
  const discard = useDoing(
    // Closed only then, so that the focus is passed on from a bar that no longer changes.
    () => editor.refresh().finally(onClose),
    () => call("admin/rates/discard-draft", { id: editor.saved.id }),
  );
  return (
    <ConfirmDialog
      opened={opened}
      title="Discard the draft"
      confirm="Discard draft"
      pending={discard.isPending}
      onClose={onClose}
      onConfirm={discard.mutate}
    >
      Its prices, names and terms are gone for good, and the card as published is shown again.
    </ConfirmDialog>
  );
}
