import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Child } from "../../contract/people.ts";

export interface WithdrawInvitationProps {
  person: Pick<Child, "first_name" | "last_name" | "email">;
  opened: boolean;
  pending: boolean;
  onClose: () => void;
  onWithdraw: () => void;
}

/** Asks before an invitation is withdrawn. */
export default function WithdrawInvitation({ person, opened, pending, onClose, onWithdraw }: WithdrawInvitationProps) {
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title="Withdraw the invitation"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <Stack gap="lg">
        <Text style={{ overflowWrap: "anywhere" }}>
          <bdi>
            {person.first_name} {person.last_name}
          </bdi>{" "}
          ({person.email}) will be taken off the list, and the mailed link will not work any more. You can add them
          again later.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={pending}>
            Keep it
          </Button>
          <Button size="md" loading={pending} onClick={onWithdraw}>
            Withdraw
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
