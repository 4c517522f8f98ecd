import { Button, Group, List, Stack, Text, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { limits } from "../../contract/limits.ts";
import { QuoteAcceptance, type QuoteTerms } from "../../contract/quote-decisions.ts";
import { ApiError, call } from "../api.ts";
import { CheckBox } from "../components/check-box.tsx";
import { Refusal } from "../components/refusal.tsx";
import { useWayBack } from "../components/use-way-back.ts";
import { fieldErrors, submitting } from "../forms/form-errors.ts";
import { keepTyped } from "../forms/kept-typed.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { useProfile } from "../portal/user-menu.tsx";
import { toast } from "../toast.ts";
import { refreshProposals, useDecision } from "./use-decision.ts";
import { heldWhileSent } from "../forms/held-while-sent.ts";
import { saidBesides } from "../forms/said-besides.ts";

interface Acceptance {
  name: string;
  designation: string;
  has_authority: boolean;
  code: string;
  /** The revision for which a code was mailed: kept, as the dialog may be closed while the code is looked up. */
  mailedFor: number | null;
}

const keptAs = (quoteId: string) => `accept ${quoteId}`;
const validate = fieldErrors(QuoteAcceptance.pick({ name: true, designation: true, has_authority: true }));

/** Forgets what was typed to accept a proposal. */
export const forgetAcceptance = (quoteId: string): void => keepTyped(keptAs(quoteId), null);

/** Who accepts, and the code from their mailbox, valid for one revision. The input stays until it is accepted. */
export function AcceptQuote({
  terms,
  onDecline,
  onClose,
}: {
  terms: QuoteTerms;
  onDecline: () => void;
  onClose: () => void;
}) {
  const { quote_id, revision, terms_hash } = terms;
  const decline = useWayBack(onDecline);
  const queries = useQueryClient();
  const { user } = useProfile();
  const first: Acceptance = {
    name: user ? `${user.firstName} ${user.lastName}` : "",
    designation: "",
    has_authority: false,
    code: "",
    mailedFor: null,
  };
  const { form, leave } = useKeptForm(keptAs(quote_id), first, onClose, validate, "none", ["code"]);
  const accept = useDecision(
    ({ name, designation, code }: Acceptance) =>
      call("user/quotes/accept", { quote_id, revision, terms_hash, name, designation, has_authority: true, code }),
    form,
    leave,
  );
  const isMailed = form.values.mailedFor === revision;
  const mail = useMutation({
    mutationFn: () => call("user/quotes/mail-code", { quote_id, revision }),
    onMutate: () => accept.reset(),
    onSuccess: ({ message }) => {
      toast.success(message);
      // The previous code is no longer valid.
      form.setValues({ mailedFor: revision, code: "" });
    },
    onError: async (error) => {
      if (error instanceof ApiError && error.status === 409) await refreshProposals(queries);
    },
  });
  const failure = saidBesides(accept.error, (field) => form.getInputNode(field) !== null) ?? mail.error;
  const submit = (typed: Acceptance) => {
    if (!isMailed) return mail.mutate();
    mail.reset();
    return accept.mutate(typed);
  };
  return (
    <form noValidate {...heldWhileSent(accept.isPending)} onSubmit={submitting(form, submit)}>
      <Stack gap="md">
        <TermsList terms={terms.terms} />
        <Acceptor form={form} />
        {isMailed && <Code form={form} />}
        {failure && <Refusal>{failure.message}</Refusal>}
        <Group justify="space-between">
          <Button variant="subtle" color="gray" onClick={decline}>
            Decline instead
          </Button>
          <Group gap="sm">
            {isMailed && (
              <Button variant="default" size="md" loading={mail.isPending} onClick={() => mail.mutate()}>
                Mail a new code
              </Button>
            )}
            <Button type="submit" size="md" loading={accept.isPending || mail.isPending}>
              {isMailed ? "Accept proposal" : "Mail me a code"}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function TermsList({ terms }: Pick<QuoteTerms, "terms">) {
  return (
    <div>
      <Text fw={650} mb={6}>
        What you accept
      </Text>
      <List size="sm" spacing={6} c="var(--site-muted)">
        {terms.map((term) => (
          <List.Item key={term}>{term}</List.Item>
        ))}
      </List>
    </div>
  );
}

type AcceptanceForm = UseFormReturnType<Acceptance>;

function Acceptor({ form }: { form: AcceptanceForm }) {
  return (
    <>
      <TextInput
        label="Your name"
        autoComplete="name"
        maxLength={limits.fullNameLengthMax}
        {...form.getInputProps("name")}
      />
      <TextInput
        label="Designation"
        placeholder="Head of IT"
        autoComplete="organization-title"
        maxLength={limits.nameLengthMax}
        {...form.getInputProps("designation")}
      />
      <div>
        <CheckBox
          label="I may accept this proposal for my organization."
          data-path="has_authority"
          checked={form.values.has_authority}
          onChange={(checked) => form.setFieldValue("has_authority", checked)}
        />
        {form.errors["has_authority"] && (
          <Text fz="sm" c="var(--mantine-color-error)" mt={4} role="alert">
            {form.errors["has_authority"]}
          </Text>
        )}
      </div>
    </>
  );
}

function Code({ form }: { form: AcceptanceForm }) {
  return (
    <TextInput
      label={`${limits.otpDigits}-digit code`}
      description={`It is in your mailbox, and valid for ${limits.otpMinutes} minutes.`}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus
      maxLength={limits.otpDigits}
      {...form.getInputProps("code")}
      onChange={(event) => form.setFieldValue("code", event.currentTarget.value.replace(/\D/g, ""))}
    />
  );
}
