import { Alert, Button, Group, NativeSelect, PasswordInput, Text, Textarea, TextInput } from "@mantine/core";
import type { UseFormReturnType } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { engineKindNames, engineKinds } from "../../../contract/engine-kinds.ts";
import { BindingInput } from "../../../contract/engines.ts";
import { limits } from "../../../contract/limits.ts";
import { ApiError, call } from "../../api.ts";
import { CheckBox } from "../../components/check-box.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { fieldErrors, showServerErrors, submitting } from "../../forms/form-errors.ts";
import { DialogForm } from "../../forms/form-dialog.tsx";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { useNewest } from "../../forms/use-newest.ts";
import { asSent, type Edited, secret, type Typed, typedOf } from "./engine-typed.ts";

/** Binds an engine to a customer, or changes a binding; a button tests it as typed. */
export default function EngineDialog({
  email,
  edited,
  onClose,
}: {
  email: string;
  edited: Edited | null;
  onClose: () => void;
}) {
  const title = edited && edited !== "new" ? `Edit ${engineKinds[edited.kind].name}` : "Add an engine";
  return (
    <Dialog opened={edited !== null} onClose={onClose} title={title} size="lg">
      {edited && (
        <EngineForm key={edited === "new" ? "new" : edited.id} email={email} edited={edited} onClose={onClose} />
      )}
    </Dialog>
  );
}

const check = fieldErrors(BindingInput);

function EngineForm({ email, edited: opened, onClose }: { email: string; edited: Edited; onClose: () => void }) {
  const [edited, look] = useNewest("admin/engines", "id", opened);
  const keptAs = `engine ${edited === "new" ? `new ${email}` : edited.id}`;
  const seen = edited === "new" ? 0 : edited.version;
  const validate = (typed: Typed) => check(asSent(email, edited, typed));
  const kept = useKeptForm(keptAs, typedOf(edited), onClose, validate, seen, secret);
  const { form, version, overtaken, leave } = kept;
  const save = (typed: Typed) =>
    call("admin/engines/post", asSent(email, edited === "new" ? edited : { id: edited.id, version }, typed));
  return (
    <DialogForm
      form={form}
      send={save}
      submit={edited === "new" ? "Add" : "Save"}
      refresh={["admin/engines"]}
      onRefused={look}
      onClose={leave}
    >
      {overtaken && <Overtaken {...overtaken} />}
      <Fields form={form} edited={edited} />
      <Trial form={form} email={email} edited={edited} />
    </DialogForm>
  );
}

function Fields({ form, edited }: { form: UseFormReturnType<Typed>; edited: Edited }) {
  const { tells, address, indexer, tenant, signsInBy } = engineKinds[form.values.kind];
  const isNew = edited === "new";
  return (
    <>
      <NativeSelect
        label="Engine"
        description={`Tells ${tells}`}
        data={engineKindNames.map((value) => ({ value, label: engineKinds[value].name }))}
        data-autofocus
        {...form.getInputProps("kind")}
      />
      <TextInput
        label={address.label}
        placeholder={address.example}
        type="url"
        required
        maxLength={limits.toolUrlLengthMax}
        {...form.getInputProps("address")}
      />
      {indexer && (
        <TextInput
          label="Address of the indexer"
          description="Without it, there are no findings and no times of last events"
          placeholder="https://wazuh.example.in:9200"
          type="url"
          maxLength={limits.toolUrlLengthMax}
          {...form.getInputProps("indexerAddress")}
        />
      )}
      <TextInput
        label={tenant.label}
        description={tenant.hint}
        required={tenant.required}
        maxLength={limits.engineNameLengthMax}
        autoComplete="off"
        {...form.getInputProps("tenantKey")}
      />
      {signsInBy === "password" && (
        <TextInput
          label="User name"
          required
          maxLength={limits.engineNameLengthMax}
          autoComplete="off"
          {...form.getInputProps("username")}
        />
      )}
      <PasswordInput
        label={signsInBy === "key" ? "API key" : "Password"}
        {...(!isNew && { description: "Leave empty to keep the current one. It is never shown again" })}
        required={isNew}
        maxLength={limits.engineSecretLengthMax}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide it" }}
        {...form.getInputProps("secret")}
      />
      {indexer && form.values.indexerAddress !== "" && <IndexerLogin form={form} />}
      <Textarea
        label="Certificate of its authority"
        description="In PEM, where the engine’s certificate comes from an authority of its own. Nothing else is trusted then"
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={2}
        maxRows={6}
        {...form.getInputProps("caCertificate")}
      />
      <Pages form={form} />
    </>
  );
}

/** Where links to the engine lead, and who sees them; nothing for a kind of engine without known pages. */
function Pages({ form }: { form: UseFormReturnType<Typed> }) {
  const { pages } = engineKinds[form.values.kind];
  if (pages === null) return null;
  return (
    <>
      <TextInput
        label="Address of its own pages"
        description={pages}
        placeholder="https://dashboard.example.in"
        type="url"
        maxLength={limits.toolUrlLengthMax}
        {...form.getInputProps("dashboardAddress")}
      />
      <CheckBox
        label="Show the links to the customer’s people too: they need an account in the engine"
        checked={form.values.opensToCustomer}
        onChange={(checked) => form.setFieldValue("opensToCustomer", checked)}
      />
    </>
  );
}

const IndexerLogin = ({ form }: { form: UseFormReturnType<Typed> }) => (
  <>
    <TextInput
      label="User name at the indexer"
      description="If it differs from the manager’s"
      maxLength={limits.engineNameLengthMax}
      autoComplete="off"
      {...form.getInputProps("indexerUsername")}
    />
    {form.values.indexerUsername !== "" && (
      <PasswordInput
        label="Password at the indexer"
        maxLength={limits.engineSecretLengthMax}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ "aria-label": "Show or hide it" }}
        {...form.getInputProps("indexerSecret")}
      />
    )}
  </>
);

/** Tests the engine as typed. The result shows until something else is typed. */
function Trial({ form, email, edited }: { form: UseFormReturnType<Typed>; email: string; edited: Edited }) {
  const typed = JSON.stringify(form.values);
  const trial = useMutation({
    mutationFn: async () => ({ of: typed, ...(await call("admin/engines/test", asSent(email, edited, form.values))) }),
    onError: (error) => {
      if (error instanceof ApiError) showServerErrors(form, error);
    },
  });
  const result = trial.data?.of === typed ? trial.data : null;
  const test = () => {
    submitting(form, () => trial.mutate())();
  };
  return (
    <>
      <Group gap="md">
        <Button variant="default" size="md" loading={trial.isPending} onClick={test}>
          Test
        </Button>
        <Text c="var(--site-muted)" fz="sm" flex={1}>
          Tests the connection. Nothing is saved.
        </Text>
      </Group>
      <div role="status">
        {result && (
          <Alert color={result.ok ? "green" : "red"}>
            <strong>{result.ok ? "It works." : "It does not work yet."}</strong> {result.message}
          </Alert>
        )}
        {trial.error && !result && <Alert color="red">{trial.error.message}</Alert>}
      </div>
    </>
  );
}
