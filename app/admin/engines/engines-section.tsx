import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { engineKinds, engineStreams } from "../../../contract/engine-kinds.ts";
import type { EngineBinding } from "../../../contract/engines.ts";
import { formatCount } from "../../../contract/format-count.ts";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { ConfirmedAction } from "../../components/confirmed-action.tsx";
import { AddressText } from "../../components/address-text.tsx";
import { showTime } from "../../components/display.ts";
import { openedLater } from "../../components/later.tsx";
import { Facts, PanelSection } from "../../components/panel-section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { ListFailed } from "../../lists/list-state.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";

const EngineDialog = openedLater<{ email: string; edited: EngineBinding | "new" | null; onClose: () => void }>(
  () => import("./engine-dialog.tsx"),
  { email: "", edited: null },
);

const firstPollMs = 3000;

/** The engines that watch a customer, and the last answer of each. */
export function EnginesSection({ email }: { email: string }) {
  const [edited, setEdited] = useState<EngineBinding | "new" | null>(null);
  const mayEdit = useMayCall()("admin/engines/post");
  const found = useQuery({
    queryKey: ["admin/engines", { email }],
    queryFn: async ({ signal }) => (await call("admin/engines", { email }, signal)).engines,
    // The server asks a new engine at once: polling shows the result without a reload.
    refetchInterval: ({ state: { data } }) => (data?.some(({ state }) => state === "new") ? firstPollMs : false),
  });
  const add = mayEdit && (
    <Button
      variant="default"
      size="md"
      leftSection={<IconPlus size={18} aria-hidden />}
      aria-label="Add an engine"
      onClick={() => setEdited("new")}
    >
      Add
    </Button>
  );
  return (
    <PanelSection title="Engines" hint="The engines that watch this customer, and their last answers." aside={add}>
      {found.isError ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <Stack gap="xl">
          {found.data.length === 0 && (
            <Text c="var(--site-muted)">
              No engine is bound yet, so nothing is known about this customer’s devices.
            </Text>
          )}
          {found.data.map((engine) => (
            <Engine
              key={engine.id}
              engine={engine}
              stale={[["admin/engines", { email }]]}
              onEdit={mayEdit ? () => setEdited(engine) : null}
            />
          ))}
        </Stack>
      ) : (
        <Skeleton h={96} radius="md" />
      )}
      <EngineDialog email={email} edited={edited} onClose={() => setEdited(null)} />
    </PanelSection>
  );
}

interface AboutEngine {
  engine: EngineBinding;
  /** The queries to refetch when the engine is removed. */
  stale: [string, { email: string }][];
  /** Null for a reader who may not change it. */
  onEdit: (() => void) | null;
}

function Engine({ engine, stale, onEdit }: AboutEngine) {
  const { name } = engineKinds[engine.kind];
  const { streams } = engine;
  const lastAnswer = streams
    .map(({ lastAnswerAt }) => lastAnswerAt ?? "")
    .toSorted()
    .at(-1);
  const hasDevices = streams.some(({ stream }) => stream === "devices");
  return (
    <Stack gap="sm" component="article" aria-label={name}>
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Text fw={650}>{name}</Text>
          <State engine={engine} />
        </Group>
        {onEdit && (
          <Group gap="xs">
            <Button variant="default" aria-label={`Edit ${name} at ${engine.address}`} onClick={onEdit}>
              Edit
            </Button>
            <Removal engine={engine} stale={stale} />
          </Group>
        )}
      </Group>
      <Facts
        facts={[
          ["Address", <Address key="address" address={engine.address} />],
          ...(engine.tenantKey ? [[engineKinds[engine.kind].tenant.label, engine.tenantKey] as const] : []),
          ["Its own pages", engine.dashboardAddress && <Address key="pages" address={engine.dashboardAddress} />],
          ["Version", engine.engineVersion],
          ["Last answer", lastAnswer ? showTime(lastAnswer) : null],
          ...(hasDevices ? [["Devices", formatCount(engine.devices)] as const] : []),
        ]}
      />
      <Problems engine={engine} />
    </Stack>
  );
}

const Address = ({ address }: { address: string }) => (
  <span style={{ overflowWrap: "anywhere" }}>
    <AddressText address={address} />
  </span>
);

function State({ engine: { state } }: { engine: EngineBinding }) {
  if (state === "new") return <StateBadge tone="neutral">Not asked yet</StateBadge>;
  return state === "ok" ? <StateBadge tone="good">Answers</StateBadge> : <StateBadge tone="bad">Fails</StateBadge>;
}

const minutesOfSkewMax = 2;

/** What is not known, since when, and why: never hidden behind older data. */
function Problems({ engine: { streams, skewSeconds } }: { engine: EngineBinding }) {
  const minutes = Math.round((skewSeconds ?? 0) / 60);
  const failing = streams.filter(({ failingSince }) => failingSince !== null);
  return (
    <>
      {failing.map(({ stream, lastAnswerAt, failingSince, sentence }) => (
        <Text key={stream}>
          <strong>
            {engineStreams[stream]}: not known {lastAnswerAt ? "since" : "yet; no answer since"}{" "}
            {showTime(lastAnswerAt ?? failingSince ?? "")}.
          </strong>{" "}
          {sentence}
        </Text>
      ))}
      {streams
        .filter(({ unreadable }) => unreadable > 0)
        .map(({ stream, unreadable }) => (
          <Text key={stream}>
            {engineStreams[stream]}: {unreadable} of the last answer could not be read. They are not counted.
          </Text>
        ))}
      {Math.abs(minutes) >= minutesOfSkewMax && (
        <Text>
          Its clock is {Math.abs(minutes)} minutes {minutes > 0 ? "ahead of" : "behind"} ours; its times are corrected
          by that.
        </Text>
      )}
    </>
  );
}

function Removal({ engine: { id, version, kind, address }, stale }: Omit<AboutEngine, "onEdit">) {
  const { name } = engineKinds[kind];
  return (
    <ConfirmedAction
      label="Remove"
      about={`${name} at ${address}`}
      title={`Remove ${name}`}
      failed="It could not be removed."
      act={() => call("admin/engines/remove", { id, version })}
      stale={stale}
    >
      {name} at <Address address={address} /> will no longer be polled. Its credentials are deleted, and its devices no
      longer count. Findings and cases that it reported stay.
    </ConfirmedAction>
  );
}
