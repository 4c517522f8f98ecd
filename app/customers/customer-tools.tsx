import { Alert, Anchor, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { messages } from "../../contract/messages.ts";
import type { CustomerTool } from "../../contract/tools.ts";
import { StateBadge } from "../components/state-badge.tsx";

export type ToolKind = "siem" | "soar";
export const toolNames = { siem: "SIEM", soar: "SOAR" } as const;

/** The address and state of one of a customer's two tools. */
export function toolOf(tool: CustomerTool, kind: ToolKind): { url: string; on: boolean } {
  return kind === "siem" ? { url: tool.siemURL, on: tool.siemStatus } : { url: tool.soarURL, on: tool.soarStatus };
}

/** A customer's SIEM and SOAR links; `editor` adds an administrator's controls. */
export function CustomerTools({
  tool,
  activation,
  editor,
}: {
  /** Null if the customer has no record; undefined while it loads. */
  tool: CustomerTool | null | undefined;
  activation?: ReactNode;
  editor?: ((tool: CustomerTool, kind: ToolKind) => ReactNode) | undefined;
}) {
  if (tool === undefined) return <Skeleton h={96} radius="md" />;
  if (tool === null)
    return (
      <Alert color="gray" variant="light" role="note">
        <Group justify="space-between" gap="md">
          <Text>The dashboards of this customer are {messages.notActivated}.</Text>
          {activation}
        </Group>
      </Alert>
    );
  return (
    <Stack gap="lg">
      {(["siem", "soar"] as const).map((kind) => (
        <Stack key={kind} gap="sm">
          <ToolLink kind={kind} {...toolOf(tool, kind)} />
          {editor?.(tool, kind)}
        </Stack>
      ))}
    </Stack>
  );
}

function ToolLink({ kind, url, on }: { kind: ToolKind; url: string; on: boolean }) {
  const name = toolNames[kind];
  return (
    <Group gap="md" mih={44}>
      <Text fw={650} w={56}>
        {name}
      </Text>
      <StateBadge tone={on ? "good" : "neutral"}>{on ? "Enabled" : "Disabled"}</StateBadge>
      {on && isWebAddress(url) ? (
        <Anchor href={url} target="_blank" rel="noopener noreferrer" style={{ overflowWrap: "anywhere" }}>
          {url} <IconExternalLink size={16} aria-label="opens in a new tab" style={{ verticalAlign: -2 }} />
        </Anchor>
      ) : (
        <Text c="var(--site-muted)">{url || "No address yet"}</Text>
      )}
    </Group>
  );
}

// People typed the addresses: only valid https ones become links.
const isWebAddress = (url: string) => URL.canParse(url) && new URL(url).protocol === "https:";
