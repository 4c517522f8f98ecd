import { Alert, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { ReadyButton } from "../components/ready-button.tsx";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { useSentId } from "../forms/use-sent-id.ts";
import { toast } from "../toast.ts";

/** `keptAs` says under which name it is kept. */
export type OnDirty = (keptAs: string, isDirty: boolean) => void;

interface Kept {
  text: string;
  /** What was sent last, and under which id: it may have arrived. */
  tried: readonly [words: string, id: string] | null;
}

function useKept(keptAs: string) {
  const [kept] = useState(() => keptTyped(keptAs) as Kept | null);
  const [text, setText] = useState(kept?.text ?? "");
  const [tried, setTried] = useState(kept?.tried ?? null);
  useEffect(() => keepTyped(keptAs, text.trim() === "" ? null : { text, tried }), [keptAs, text, tried]);
  return { text, setText, tried, setTried };
}

function useTold(onDirty: OnDirty, keptAs: string, isDirty: boolean): void {
  useEffect(() => {
    onDirty(keptAs, isDirty);
    return () => onDirty(keptAs, false);
  }, [onDirty, keptAs, isDirty]);
}

/** A text that is sent once, however often the button is pressed or the way breaks. */
export function WriteForm({
  label,
  keptAs,
  description,
  submit,
  send,
  onTyping,
  onSent,
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
  /** All of it is sent: nothing was written on meanwhile. */
  onSent?: () => void;
  /** Whether something is typed and not sent; the page asks whoever leaves. */
  onDirty: OnDirty;
  aside?: ReactNode;
}) {
  const queries = useQueryClient();
  const { text, setText, tried, setTried } = useKept(keptAs);
  const sent = useSentId(tried);
  const isDirty = text.trim() !== "";
  useTold(onDirty, keptAs, isDirty);
  const sending = useMutation({
    mutationFn: (words: string) => {
      const id = sent.idOf(words);
      setTried([words, id]);
      return send(words, id);
    },
    onSuccess: ({ message }, words) => {
      toast.success(message);
      // Here, too: whoever has left the page meanwhile does not find it again as if it were not sent.
      if ((keptTyped(keptAs) as Kept | null)?.text.trim() === words) keepTyped(keptAs, null);
      // What was written on meanwhile stays, to be sent next.
      setText((now) => (now.trim() === words ? "" : now));
      if (text.trim() === words) onSent?.();
      sent.forget();
      setTried(null);
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
          <ReadyButton type="submit" size="md" loading={sending.isPending} isReady={isDirty}>
            {submit}
          </ReadyButton>
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
