import { Group, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { Refusal } from "../components/refusal.tsx";
import { ReadyButton } from "../components/ready-button.tsx";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import type { Billing } from "../../contract/billing.ts";
import { messages } from "../../contract/messages.ts";
import { ApiError } from "../api.ts";
import { partIsGone } from "../components/later.tsx";
import { Overtaken } from "../components/overtaken.tsx";
import { startInFirstField } from "../forms/first-field.ts";
import { submitting } from "../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { toast } from "../toast.ts";
import { BillingFields } from "./billing-fields.tsx";
import { billingKeptAs, type BillingOf, billingQuery, callSave } from "./billing-of.ts";
import type { checkBilling } from "./check-billing.ts";
import { sentFrom, typedFrom, type TypedBilling } from "./typed-billing.ts";

export interface BillingFormProps {
  of: BillingOf;
  /** Whether a dialog shows it, and starts in its first field. */
  inDialog?: boolean;
  /** The label of the button. */
  save?: string;
  onSaved?: (billing: Billing) => void;
  onDirty?: (dirty: boolean) => void;
  /** Shown before the button. */
  children?: ReactNode;
}

/** Edits the billing details of an organisation: the user's own, or those of a customer. */
export default function BillingForm(props: BillingFormProps) {
  const kept = useQuery(billingQuery(props.of));
  if (kept.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void kept.refetch()} />;
  return kept.data ? <Typing kept={kept.data} {...props} /> : <ListLoading rows={4} />;
}

let check: typeof checkBilling | null = null;
/** The validation rules are as large as the screen's own script, so they are loaded once somebody types. */
const loadRules = async () => (check ??= (await import("./check-billing.ts")).checkBilling);

function Typing({ kept, ...props }: BillingFormProps & { kept: Billing }) {
  const { of, inDialog, save = "Save", onSaved, onDirty, children } = props;
  // The details as they were when editing began, whatever is fetched meanwhile.
  const name = billingKeptAs(of);
  const [before] = useState(() => keptTyped(name) as { base: Billing; typed: TypedBilling } | null);
  const [base, setBase] = useState(before?.base ?? kept);
  const form = useForm<TypedBilling>({
    initialValues: before?.typed ?? typedFrom(kept),
    validate: (typed) => check?.(typed) ?? {},
    validateInputOnBlur: true,
  });
  const { values: typed } = form;
  const dirty = JSON.stringify(typed) !== JSON.stringify(typedFrom(base));
  useEffect(() => onDirty?.(dirty), [onDirty, dirty]);
  useEffect(() => keepTyped(name, dirty ? { base, typed } : null), [name, dirty, base, typed]);
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: (typed: TypedBilling) => callSave(of, { ...sentFrom(typed), version: base.version }),
    onSuccess: async (saved, sent) => {
      toast.success("The billing details are saved.");
      setBase(saved);
      // Input typed during the request stays, to be saved next.
      const isOn = JSON.stringify(form.getValues()) !== JSON.stringify(sent);
      if (!isOn) form.setValues(typedFrom(saved));
      queries.setQueryData(billingQuery(of).queryKey, saved);
      // Prices and panels depend on the billing details.
      await Promise.all(
        ["user/get-estimation", "estimator/price", "admin/people/organization"].map((name) =>
          queries.invalidateQueries({ queryKey: [name] }),
        ),
      );
      if (!isOn) onSaved?.(saved);
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      form.setErrors(error.fields);
      if (error.status === 409) await queries.invalidateQueries({ queryKey: billingQuery(of).queryKey });
    },
  });
  const isOvertaken = saving.error instanceof ApiError && saving.error.status === 409;
  const goOn = () => {
    setBase(kept);
    saving.reset();
  };
  return (
    <form
      noValidate
      ref={inDialog ? startInFirstField : null}
      onSubmit={(event) => {
        event.preventDefault();
        const send = (typed: TypedBilling) => !saving.isPending && saving.mutate(typed);
        void loadRules().then(() => submitting(form, send)(), partIsGone);
      }}
    >
      <Stack gap="md" onFocus={() => void loadRules().catch(() => undefined)}>
        {isOvertaken && (
          <Overtaken
            onKeep={goOn}
            onTake={() => {
              form.setValues(typedFrom(kept));
              goOn();
            }}
          >
            {saving.error?.message}
          </Overtaken>
        )}
        {saving.error && !isOvertaken && <Refusal>{saving.error.message}</Refusal>}
        <BillingFields form={form} />
        {children}
        <Group justify="flex-end">
          <ReadyButton type="submit" size="md" loading={saving.isPending} isReady={!isOvertaken}>
            {save}
          </ReadyButton>
        </Group>
      </Stack>
    </form>
  );
}
