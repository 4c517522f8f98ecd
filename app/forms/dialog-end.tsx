import { Button, Group } from "@mantine/core";
import { Refusal } from "../components/refusal.tsx";

/** The end of a form in a dialog: the error, if sending failed, and the two buttons. */
export function DialogEnd({
  sending: { error, isPending },
  submit,
  isReady = true,
  leave = "Cancel",
  destructive = false,
  onClose,
}: {
  sending: { error: Error | null; isPending: boolean };
  /** The label of the sending button. */
  submit: string;
  isReady?: boolean;
  /** The label of the other button. */
  leave?: string;
  /** Whether the action takes something away for good: its button is red then. */
  destructive?: boolean;
  onClose: () => void;
}) {
  return (
    <>
      {error && <Refusal>{error.message}</Refusal>}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={isPending}>
          {leave}
        </Button>
        <Button
          type="submit"
          size="md"
          {...(destructive && { color: "red.9" })}
          loading={isPending}
          disabled={!isReady}
        >
          {submit}
        </Button>
      </Group>
    </>
  );
}
