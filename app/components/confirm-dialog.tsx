import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";

export interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** What the button that does it is called. */
  confirm: string;
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks before something is taken away. */
export default function ConfirmDialog({
  opened,
  title,
  children,
  confirm,
  pending,
  onClose,
  onConfirm,
}: ConfirmDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title={title} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="lg">
        <Text style={{ overflowWrap: "anywhere" }}>{children}</Text>
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={pending}>
            Keep it
          </Button>
          <Button size="md" loading={pending} onClick={onConfirm}>
            {confirm}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
