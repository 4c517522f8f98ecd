import { Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { limits } from "../../contract/limits.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { toast } from "../toast.ts";
import { refreshContracts } from "./contract-readers.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";
import { Refusal } from "../components/refusal.tsx";

export interface Choice {
  label: string;
  act: (text: string) => Promise<{ message: string }>;
  /** Whether the choice refuses or takes away something. */
  isNo?: boolean;
  isReady?: boolean;
}

/** A comment about a contract, and what to do with it; Enter takes the first choice. */
export function AnswerForm({
  label,
  description,
  keptAs,
  choices,
  onClose,
  children,
}: {
  label: string;
  description?: string;
  /** The name under which the text is kept until it is sent. */
  keptAs: string;
  choices: readonly Choice[];
  onClose: () => void;
  children?: ReactNode;
}) {
  const queries = useQueryClient();
  const { form, leave } = useKeptForm(keptAs, { text: "" }, onClose);
  const { text } = form.values;
  const act = useMutation({
    mutationFn: (choice: Choice) => choice.act(text),
    onSuccess: ({ message }) => {
      toast.success(message);
      leave();
    },
    onSettled: () => refreshContracts(queries),
  });
  const isReady = ({ isReady: ready = true }: Choice) => ready && text.trim() !== "" && !act.isPending;
  return (
    <form
      {...heldWhileSent(act.isPending)}
      onSubmit={(event) => {
        event.preventDefault();
        const [first] = choices;
        if (first && isReady(first)) act.mutate(first);
      }}
    >
      <Stack gap="md">
        {children}
        <Textarea
          label={label}
          data-autofocus
          description={description}
          autosize
          minRows={2}
          maxLength={limits.contractReasonLengthMax}
          value={text}
          onChange={(event) => form.setFieldValue("text", event.currentTarget.value.replaceAll("\n", " "))}
        />
        {act.error && <Refusal>{act.error.message}</Refusal>}
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={leave} disabled={act.isPending}>
            Cancel
          </Button>
          {choices.toReversed().map((choice) => (
            <Button
              key={choice.label}
              type={choice === choices[0] ? "submit" : "button"}
              size="md"
              {...(choice.isNo && { variant: "default" })}
              loading={act.isPending && act.variables === choice}
              disabled={!isReady(choice)}
              {...(choice !== choices[0] && { onClick: () => act.mutate(choice) })}
            >
              {choice.label}
            </Button>
          ))}
        </Group>
      </Stack>
    </form>
  );
}
