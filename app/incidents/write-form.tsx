import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { toast } from "../toast.ts";

/** A text that is sent once, however often the button is pressed or the way breaks. */
export function WriteForm({
  label,
  description,
  submit,
  send,
  onTyping,
  aside,
}: {
  label: string;
  description?: string;
  submit: string;
  /** `factId` stays the same until it has arrived. */
  send: (text: string, factId: string) => Promise<{ message: string }>;
  onTyping?: () => void;
  aside?: ReactNode;
}) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [factId, setFactId] = useState(() => crypto.randomUUID());
  const sending = useMutation({
    mutationFn: () => send(text.trim(), factId),
    onSuccess: ({ message }) => {
      toast.success(message);
      setText("");
      setFactId(crypto.randomUUID());
    },
    onSettled: () => refreshIncidents(queries),
  });
  return (
    <form
      className="screen-only"
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() && !sending.isPending) sending.mutate();
      }}
    >
      <Stack gap="sm">
        <Textarea
          label={label}
          description={description}
          autosize
          minRows={2}
          maxRows={10}
          maxLength={limits.messageLengthMax}
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            onTyping?.();
          }}
        />
        {sending.error && (
          <Alert color="red" role="alert">
            {sending.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          {aside}
          <Button type="submit" size="md" loading={sending.isPending} disabled={!text.trim()}>
            {submit}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** What is known of incidents is asked for anew. */
export async function refreshIncidents(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) => typeof name === "string" && /\/(incidents|under-attack|findings)/.test(name),
  });
}
