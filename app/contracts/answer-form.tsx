import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { toast } from "../toast.ts";
import { refreshContracts } from "./contract-readers.ts";

export interface Choice {
  label: string;
  act: (text: string) => Promise<{ message: string }>;
  /** It takes something away. */
  isNo?: boolean;
  isReady?: boolean;
}

/** What somebody says about a contract, and what they do with it; the first of the choices is what Enter does. */
export function AnswerForm({
  label,
  description,
  choices,
  onClose,
  children,
}: {
  label: string;
  description?: string;
  choices: readonly Choice[];
  onClose: () => void;
  children?: ReactNode;
}) {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const act = useMutation({
    mutationFn: (choice: Choice) => choice.act(text),
    onSuccess: ({ message }) => {
      toast.success(message);
      onClose();
    },
    onSettled: () => refreshContracts(queries),
  });
  const isReady = ({ isReady: ready = true }: Choice) => ready && text.trim() !== "" && !act.isPending;
  return (
    <form
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
          description={description}
          autosize
          minRows={2}
          maxLength={limits.contractReasonLengthMax}
          value={text}
          onChange={(event) => setText(event.currentTarget.value.replaceAll("\n", " "))}
        />
        {act.error && (
          <Alert color="red" role="alert">
            {act.error.message}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={act.isPending}>
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
