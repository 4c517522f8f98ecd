import { ActionIcon, Anchor, Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { Proof } from "../../../contract/proofs.ts";
import { call } from "../../api.ts";
import { ConfirmedAction } from "../../components/confirmed-action.tsx";
import { showDay } from "../../components/display.ts";
import { StateBadge } from "../../components/state-badge.tsx";
import { proofsKey } from "./proofs-key.ts";

/** The possible actions; `onUp` and `onDown` are undefined at the ends of the list. */
interface Editing {
  onEdit: () => void;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
}

/** One certificate or reference, as visitors see it. */
export function ProofCard({ proof, editing }: { proof: Proof; editing?: Editing }) {
  return (
    <Card component="li" withBorder radius="lg" padding="lg" bg="var(--site-surface)">
      <Group justify="space-between" align="flex-start" gap="md">
        <Stack gap={6} style={{ flex: "1 1 280px", minWidth: 0, overflowWrap: "anywhere" }}>
          <Group gap="sm">
            <Text fz="sm" c="var(--site-muted)">
              {proof.kind === "certificate" ? "Certificate" : "Reference"}
            </Text>
            {proof.expired && <StateBadge tone="warning">Expired, not shown</StateBadge>}
          </Group>
          <Title order={2} fz={18}>
            <bdi>{proof.name}</bdi>
          </Title>
          <Text>{proof.statement}</Text>
          <Text fz="sm" c="var(--site-muted)">
            <bdi>{proof.issuer}</bdi>
            {proof.validUntil && ` · valid until ${showDay(proof.validUntil)}`}
          </Text>
          {proof.link && (
            <Anchor href={proof.link} target="_blank" rel="noopener noreferrer" fz="sm">
              {proof.link}
            </Anchor>
          )}
        </Stack>
        {editing && <Actions proof={proof} editing={editing} />}
      </Group>
    </Card>
  );
}

function Actions({ proof, editing: { onEdit, onUp, onDown } }: { proof: Proof; editing: Editing }) {
  return (
    <Group gap="xs">
      <ActionIcon variant="default" size={44} aria-label={`Move ${proof.name} up`} disabled={!onUp} onClick={onUp}>
        <IconArrowUp size={18} aria-hidden />
      </ActionIcon>
      <ActionIcon
        variant="default"
        size={44}
        aria-label={`Move ${proof.name} down`}
        disabled={!onDown}
        onClick={onDown}
      >
        <IconArrowDown size={18} aria-hidden />
      </ActionIcon>
      <Button variant="default" size="md" aria-label={`Edit ${proof.name}`} onClick={onEdit}>
        Edit
      </Button>
      <Removal proof={proof} />
    </Group>
  );
}

function Removal({ proof: { id, name, version } }: { proof: Proof }) {
  return (
    <ConfirmedAction
      size="md"
      label="Remove"
      about={name}
      title="Remove from the site"
      failed="It could not be removed."
      act={() => call("admin/settings/proofs/remove", { id, version })}
      stale={[proofsKey]}
    >
      <bdi>{name}</bdi> will be removed from the public site at once. To restore it, you have to enter it again.
    </ConfirmedAction>
  );
}
