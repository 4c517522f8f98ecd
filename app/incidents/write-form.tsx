import { Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { Refusal } from "../components/refusal.tsx";
import { ReadyButton } from "../components/ready-button.tsx";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { useSentId } from "../forms/use-sent-id.ts";
import { toast } from "../toast.ts";

/** `keptAs` is the name under which unsent text is kept. */
export type OnDirty = (keptAs: string, isDirty: boolean) => void;

interface Kept {
  text: string;
  /** The text that was sent last, and its id: it may have arrived. */
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

/** A form for a text that is stored once, however often the button is pressed or the connection breaks. */
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
  /** The name under which the text is kept until it is sent. */
  keptAs: string;
  description?: string;
  submit: string;
  /** `factId` is the text's id: the same text has the same id when it is sent again. */
  send: (text: string, factId: string) => Promise<{ message: string }>;
  onTyping?: () => void;
  /** Called when all of the text was sent, with nothing added meanwhile. */
  onSent?: () => void;
  /** Called with whether there is unsent text; the page then asks before the user leaves. */
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
      // Cleared here as well: if the user has left the page meanwhile, the text must not reappear as unsent.
      if ((keptTyped(keptAs) as Kept | null)?.text.trim() === words) keepTyped(keptAs, null);
      // Text typed during the request stays, to be sent next.
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
        {sending.error && <Refusal>{sending.error.message}</Refusal>}
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

/** Refetches everything about incidents. */
export async function refreshIncidents(queries: ReturnType<typeof useQueryClient>): Promise<void> {
  await queries.invalidateQueries({
    predicate: ({ queryKey: [name] }) => typeof name === "string" && /\/(incidents|under-attack|findings)/.test(name),
  });
}
