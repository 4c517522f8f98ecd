import { Alert, Button, Group } from "@mantine/core";

/** The end of a form in a dialog: why it could not be sent, and the two buttons. */
export function DialogEnd({
  sending: { error, isPending },
  submit,
  isReady = true,
  leave = "Cancel",
  onClose,
}: {
  sending: { error: Error | null; isPending: boolean };
  /** What the button that sends it says. */
  submit: string;
  isReady?: boolean;
  /** What the other one says. */
  leave?: string;
  onClose: () => void;
}) {
  return (
    <>
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={isPending}>
          {leave}
        </Button>
        <Button type="submit" size="md" loading={isPending} disabled={!isReady}>
          {submit}
        </Button>
      </Group>
    </>
  );
}
