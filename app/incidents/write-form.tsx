import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { useSentId } from "../forms/use-sent-id.ts";
import { toast } from "../toast.ts";

export type OnDirty = (form: string, isDirty: boolean) => void;

/** A text that is sent once, however often the button is pressed or the way breaks. */
export function WriteForm({
  label,
  keptAs,
  description,
  submit,
  send,
  onTyping,
  onDirty,
  aside,
}: {
  label: string;
  /** Under which name what is typed is kept until it is sent. */
  keptAs: string;
  description?: string;
  submit: string;
  /** `factId` is the text's: sent again, the same text has the same. */
  send: (text: string, factId: string) => Promise<{ message: string }>;
  onTyping?: () => void;
  /** Whether something is typed and not sent; the page asks whoever leaves. */
  onDirty: OnDirty;
  aside?: ReactNode;
}) {
  const queries = useQueryClient();
  const [text, setText] = useState(() => (keptTyped(keptAs) as { text: string } | null)?.text ?? "");
  const sent = useSentId();
  const form = useId();
  const isDirty = text.trim() !== "";
  useEffect(() => keepTyped(keptAs, isDirty ? { text } : null), [keptAs, isDirty, text]);
  useEffect(() => {
    onDirty(form, isDirty);
    return () => onDirty(form, false);
  }, [onDirty, form, isDirty]);
  const sending = useMutation({
    mutationFn: (words: string) => send(words, sent.idOf(words)),
    onSuccess: ({ message }, words) => {
      toast.success(message);
      // What was written on meanwhile stays, to be sent next.
      setText((now) => (now.trim() === words ? "" : now));
      sent.forget();
    },
    onSettled: () => refreshIncidents(queries),
  });
  return (
    <form
      className="screen-only"
      onSubmit={(event) => {
        event.preventDefault();
        if (isDirty && !sending.isPending) sending.mutate(text.trim());
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
