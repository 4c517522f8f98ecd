import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { toast } from "../toast.ts";

export type OnDirty = (form: string, isDirty: boolean) => void;

/** A text that is sent once, however often the button is pressed or the way breaks. */
export function WriteForm({
  label,
  description,
  submit,
  send,
  onTyping,
  onDirty,
  aside,
}: {
  label: string;
  description?: string;
  submit: string;
  /** `factId` stays the same until it has arrived. */
  send: (text: string, factId: string) => Promise<{ message: string }>;
  onTyping?: () => void;
  /** Whether something is typed and not sent; the page asks whoever leaves. */
  onDirty: OnDirty;
  aside?: ReactNode;
}) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const [factId, setFactId] = useState(() => crypto.randomUUID());
  const form = useId();
  const isDirty = text.trim() !== "";
  useEffect(() => {
    onDirty(form, isDirty);
    return () => onDirty(form, false);
  }, [onDirty, form, isDirty]);
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
        if (isDirty && !sending.isPending) sending.mutate();
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
          <Button type="submit" size="md" loading={sending.isPending} disabled={!isDirty}>
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
