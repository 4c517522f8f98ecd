import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { LeadDuplicate } from "../../../contract/lead-details.ts";
import type { Lead } from "../../../contract/lead-list.ts";
import { call } from "../../api.ts";
import { showDay } from "../../components/display.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";
import { LeadStateBadge } from "./lead-state.tsx";
import { refreshLeads } from "./use-leads.ts";

/** Other leads that may be duplicates, to be viewed or merged into this one. */
export function LeadDuplicates({
  lead,
  duplicates,
  onOpen,
}: {
  lead: Lead;
  duplicates: readonly LeadDuplicate[];
  onOpen: (id: string) => void;
}) {
  const mayJoin = useMayCall()("admin/leads/join");
  const queries = useQueryClient();
  const join = useMutation({
    mutationFn: (id: string) => call("admin/leads/join", { id, into: lead.id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshLeads(queries),
  });
  if (duplicates.length === 0) return null;
  return (
    <PanelSection
      title="May be about the same"
      hint="Joined, they are one lead with both requests and histories; they can be separated again."
    >
      <Stack gap="md">
        {duplicates.map((other) => (
          <Group key={other.id} justify="space-between" gap="sm">
            <div style={{ minWidth: 0, overflowWrap: "anywhere" }}>
              <Text fw={600}>
                <span className="tabular">{other.number}</span> <bdi>{other.organization_name}</bdi>
              </Text>
              <Text fz="sm" c="var(--site-muted)">
                <bdi>{other.user_name}</bdi>, {other.user_email}, {showDay(other.created_at)}. Same{" "}
                {other.because.join(" and ")}.
              </Text>
              <LeadStateBadge state={other.state} />
            </div>
            <Group gap="xs">
              <Button variant="default" onClick={() => onOpen(other.id)} aria-label={`Open ${other.number}`}>
                Open
              </Button>
              {mayJoin && (
                <Button
                  variant="light"
                  loading={join.isPending && join.variables === other.id}
                  onClick={() => !join.isPending && join.mutate(other.id)}
                  aria-label={`Join ${other.number} into ${lead.number}`}
                >
                  Join
                </Button>
              )}
            </Group>
          </Group>
        ))}
      </Stack>
    </PanelSection>
  );
}
