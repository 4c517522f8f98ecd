import { Stack, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type SubmitEvent, useRef, useState } from "react";
import { toast } from "../toast.ts";
import { messages } from "../../contract/messages.ts";
import { type CustomerTool, SiemUpdate, SoarUpdate } from "../../contract/tools.ts";
import { ApiError, call } from "../api.ts";
import { type ToolKind, toolNames, toolOf } from "../customers/customer-tools.tsx";
import { NotSaved } from "../components/not-saved.tsx";
import { Overtaken } from "../components/overtaken.tsx";
import { ReadyButton } from "../components/ready-button.tsx";
import { fieldErrors } from "../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../forms/kept-typed.ts";
import classes from "./tool-editor.module.css";

interface Values {
  url: string;
  on: boolean;
}

/** What is typed, and what was saved when editing began. */
interface Draft {
  values: Values;
  seen: Values;
}

/**
 * Edits one tool of a customer. If somebody else saved first, the user sees what is saved now beside what was typed,
 * and decides.
 */
export function ToolEditor({ email, tool, kind }: { email: string; tool: CustomerTool; kind: ToolKind }) {
  const queries = useQueryClient();
  const keptAs = `tool ${kind} ${email}`;
  const [draft, setDraft] = useState(() => keptTyped(keptAs) as Draft | null);
  const [problem, setProblem] = useState<string | null>(null);
  const address = useRef<HTMLInputElement>(null);
  const name = toolNames[kind];
  const saved = toolOf(tool, kind);
  const values = draft?.values ?? saved;
  const overtaken = draft !== null && !same(saved, draft.seen) && !same(saved, draft.values);
  const keep = (typed: Draft | null) => {
    keepTyped(keptAs, typed);
    setDraft(typed);
  };
  const reload = () => queries.invalidateQueries({ queryKey: ["admin/getcustomertToolByEmailApi", { email }] });
  const tell = (wrong: string | null) => {
    setProblem(wrong);
    if (wrong) address.current?.focus();
  };
  const type = (change: Partial<Values>) => {
    setProblem(null);
    keep({ values: { ...values, ...change }, seen: draft?.seen ?? saved });
  };

  const update = useMutation({
    mutationFn: () => send(kind, email, values, tool.version),
    onSuccess: async () => {
      await reload();
      keep(null);
      toast.success(kind === "siem" ? messages.siemUpdated : messages.soarUpdated);
    },
    onError: (error) => {
      if (error instanceof ApiError) tell(error.fields[`${kind}URL`] ?? null);
      toast.error(kind === "siem" ? messages.siemFailed : messages.soarFailed);
    },
  });

  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const wrong = urlProblem(kind, email, values);
    tell(wrong);
    if (!wrong && !update.isPending) update.mutate();
  };

  return (
    <form noValidate aria-label={`Edit ${name}`} onSubmit={submit}>
      <Stack gap="sm">
        <div className={classes.fields}>
          <Switch
            label={`${name} enabled`}
            size="md"
            classNames={{ body: classes.switch ?? "" }}
            checked={values.on}
            onChange={(event) => type({ on: event.currentTarget.checked })}
          />
          <TextInput
            ref={address}
            label={`${name} URL`}
            type="url"
            inputMode="url"
            placeholder="https://"
            disabled={!values.on}
            value={values.url}
            error={problem}
            onChange={(event) => type({ url: event.currentTarget.value })}
          />
          <ReadyButton type="submit" size="md" loading={update.isPending} isReady={!overtaken && !same(values, saved)}>
            Update {name}
          </ReadyButton>
        </div>
        {update.error && !overtaken && !problem && (
          <NotSaved
            error={update.error}
            says={update.error.message}
            onLoad={() => void reload().then(() => update.reset())}
          />
        )}
        {overtaken && <Theirs saved={saved} onKeep={() => keep({ ...draft, seen: saved })} onTake={() => keep(null)} />}
      </Stack>
    </form>
  );
}

const Theirs = ({ saved, ...choices }: { saved: Values; onKeep: () => void; onTake: () => void }) => (
  <Overtaken title="Somebody else changed this meanwhile" {...choices}>
    Saved now: {saved.on ? "enabled" : "disabled"}, {saved.url || "no address"}. What you typed is still above.
  </Overtaken>
);

function urlProblem(kind: ToolKind, email: string, { url, on }: Values): string | null {
  const errors =
    kind === "siem"
      ? fieldErrors(SiemUpdate)({ email, siemURL: url, siemStatus: on })
      : fieldErrors(SoarUpdate)({ email, soarURL: url, soarStatus: on });
  return errors[`${kind}URL`] ?? null;
}

function send(kind: ToolKind, email: string, { url, on }: Values, version: number) {
  return kind === "siem"
    ? call("admin/updateCustomerToolSiemByAdmin", { email, siemURL: url, siemStatus: on, version })
    : call("admin/updateCustomerToolSoarByAdmin", { email, soarURL: url, soarStatus: on, version });
}

const same = (one: Values, other: Values) => one.url === other.url && one.on === other.on;
