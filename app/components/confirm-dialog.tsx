import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { useEscape } from "./use-escape.ts";

export interface ConfirmDialogProps {
  opened: boolean;
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The label of the button that does it. */
  confirm: string;
  /** Whether the action takes something away: its button is red then, as by default. */
  destructive?: boolean | undefined;
  /** A text that must be typed first, for an action that can't be undone. */
  typed?: { label: string; text: string };
  pending: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** Asks for confirmation of a destructive action. */
export default function ConfirmDialog({ opened, title, onClose, ...question }: ConfirmDialogProps) {
  useEscape(opened, onClose);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={title}
      closeOnEscape={false}
      centered
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Question onClose={onClose} {...question} />
    </Modal>
  );
}

function Question({
  children,
  confirm,
  destructive = true,
  typed,
  pending,
  onClose,
  onConfirm,
}: Omit<ConfirmDialogProps, "opened" | "title">) {
  const [text, setText] = useState("");
  return (
    <Stack gap="lg">
      <Text style={{ overflowWrap: "anywhere" }}>{children}</Text>
      {typed && (
        <TextInput
          label={typed.label}
          autoComplete="off"
          data-autofocus
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          styles={{ label: { overflowWrap: "anywhere" } }}
        />
      )}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={pending} data-autofocus={!typed || undefined}>
          Cancel
        </Button>
        <Button
          size="md"
          {...(destructive && { color: "red.9" })}
          loading={pending}
          disabled={typed !== undefined && text.trim() !== typed.text}
          onClick={onConfirm}
        >
          {confirm}
        </Button>
      </Group>
    </Stack>
  );
}
