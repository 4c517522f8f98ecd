import { Button, Group, Modal, Stack, Text } from "@mantine/core";

export interface RemovalDialogProps {
  opened: boolean;
  name: string;
  isPending: boolean;
  onRemove: () => void;
  onClose: () => void;
}

/** Asks before a certificate or reference leaves the public site. */
export default function RemovalDialog({ opened, name, isPending, onRemove, onClose }: RemovalDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Remove from the site" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack gap="lg">
        <Text style={{ overflowWrap: "anywhere" }}>
          <bdi>{name}</bdi> will be off the public site at once, and has to be typed again to come back.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={isPending}>
            Keep it
          </Button>
          <Button size="md" loading={isPending} onClick={onRemove}>
            Remove
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
