import { Button, Group, Stack, Text, Textarea } from "@mantine/core";
import type { ActionDetails } from "../../../contract/actions.ts";
import { limits } from "../../../contract/limits.ts";
import { call } from "../../api.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { useDoing } from "../../components/use-doing.ts";
import { useMayCall } from "../../portal/use-may-call.ts";
import { queueWords } from "./queue-words.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { refreshActions } from "./use-actions.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

/** What can be done with an open entry. */
export function ActionWork({ details }: { details: ActionDetails }) {
  const mayCall = useMayCall();
  if (!mayCall("admin/actions/resolve"))
    return <Text c="var(--site-muted)">Administrators deal with this; your account sees it.</Text>;
  const { id, taken_by_id, taken_by_me } = details.item;
  const isAnothers = taken_by_id !== null && !taken_by_me;
  return (
    <PanelSection title="What to do">
      <Stack gap="xl">
        <Group gap="sm">
          <Taking key={String(taken_by_me)} details={details} />
          {!isAnothers && <Retry details={details} />}
        </Group>
        {details.no_retry_because && !isAnothers && <Text c="var(--site-muted)">{details.no_retry_because}</Text>}
        {!isAnothers && <Resolve key={id} id={id} />}
      </Stack>
    </PanelSection>
  );
}

function Taking({ details: { item } }: { details: ActionDetails }) {
  const { id, taken_by_id, taken_by, taken_by_me } = item;
  const take = useDoing(refreshActions, () => call("admin/actions/take", { id, from: taken_by_id }));
  const release = useDoing(refreshActions, () => call("admin/actions/release", { id }));
  if (taken_by_me)
    return (
      <Button size="md" variant="default" loading={release.isPending} onClick={() => release.mutate()}>
        Give it back
      </Button>
    );
  return (
    <Button
      size="md"
      variant="default"
      // A long name may need several lines.
      h="auto"
      mih={42}
      py={8}
      styles={{ label: { whiteSpace: "normal", overflow: "visible", overflowWrap: "anywhere", lineHeight: 1.25 } }}
      loading={take.isPending}
      onClick={() => take.mutate()}
    >
      {taken_by_id ? `Take it over from ${taken_by ?? "somebody who is not here any more"}` : "Assign to me"}
    </Button>
  );
}

function Retry({ details: { item, no_retry_because } }: { details: ActionDetails }) {
  const { retry } = queueWords[item.queue];
  const doing = useDoing(refreshActions, () => call("admin/actions/retry", { id: item.id }));
  if (!retry || no_retry_because) return null;
  return (
    <Button size="md" loading={doing.isPending} onClick={() => doing.mutate()}>
      {retry}
    </Button>
  );
}

function Resolve({ id }: { id: string }) {
  const { form, leave } = useKeptForm(`found ${id}`, { reason: "" }, () => {});
  const { reason } = form.values;
  const resolve = useDoing(refreshActions, async () => {
    const answer = await call("admin/actions/resolve", { id, reason });
    leave();
    return answer;
  });
  const isEmpty = reason.trim() === "";
  return (
    <form
      aria-label="Resolve"
      {...heldWhileSent(resolve.isPending)}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !resolve.isPending) resolve.mutate();
      }}
    >
      <Stack gap="sm" align="start">
        <Textarea
          w="100%"
          label="What you found or did"
          description="It stays with the entry and in the audit log; customers do not see it."
          autosize
          minRows={2}
          maxLength={limits.actionReasonLengthMax}
          value={reason}
          error={resolve.error?.message}
          onChange={(event) => form.setFieldValue("reason", event.currentTarget.value.replaceAll("\n", " "))}
        />
        <Button type="submit" size="md" loading={resolve.isPending} disabled={isEmpty}>
          Resolve
        </Button>
      </Stack>
    </form>
  );
}
