import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import { limits } from "../../contract/limits.ts";
import type { QuoteTerms } from "../../contract/quote-decisions.ts";
import { call } from "../api.ts";
import { submitting } from "../forms/form-errors.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { useDecision } from "./use-decision.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";
import { Refusal } from "../components/refusal.tsx";

/** The form outlives the view: what is typed stays while the user looks at accepting after all. */
export const useDeclineForm = (quoteId: string, onClose: () => void) =>
  useKeptForm(`decline ${quoteId}`, { reason: "" }, onClose, {
    reason: (reason) => (reason.trim() === "" ? "Please tell us why, in a few words" : null),
  });

/** Asks for the reason of declining a proposal. */
export function DeclineQuote({
  terms: { quote_id, revision },
  form,
  onBack,
  onClose,
}: {
  terms: QuoteTerms;
  form: ReturnType<typeof useDeclineForm>["form"];
  onBack: () => void;
  onClose: () => void;
}) {
  const decline = useDecision(
    ({ reason }: typeof form.values) => call("user/quotes/decline", { quote_id, revision, reason }),
    form,
    onClose,
  );
  return (
    <form
      noValidate
      {...heldWhileSent(decline.isPending)}
      onSubmit={submitting(form, (typed) => decline.mutate(typed))}
    >
      <Stack gap="md">
        {decline.error && <Refusal>{decline.error.message}</Refusal>}
        <Textarea
          label="Why do you decline?"
          description="It helps us to make a better offer."
          autosize
          minRows={3}
          maxRows={8}
          maxLength={limits.messageLengthMax}
          autoFocus
          {...form.getInputProps("reason")}
        />
        <Text fz="sm" c="var(--site-muted)">
          It can't be bought any more then. We can make you another one, or you send a new estimate.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onBack} disabled={decline.isPending}>
            Back
          </Button>
          <Button type="submit" size="md" loading={decline.isPending}>
            Decline proposal
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
