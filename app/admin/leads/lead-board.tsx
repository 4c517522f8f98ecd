import { Button, Group, NativeSelect, Text, Title } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Lead, LeadFilters } from "../../../contract/lead-list.ts";
import { type LeadState, leadStates } from "../../../contract/lead-states.ts";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { showDay, showRupees } from "../../components/display.ts";
import { ListFailed, ListLoading } from "../../lists/list-state.tsx";
import { loading } from "../../lists/load-more.tsx";
import { MoreFailed } from "../../lists/more-failed.tsx";
import { showTotal } from "../../lists/show-total.ts";
import { useList } from "../../lists/use-list.ts";
import { toast } from "../../toast.ts";
import { Overdue } from "./lead-columns.tsx";
import { stateChoices } from "./lead-state.tsx";
import classes from "./leads.module.css";
import { refreshLeads, useMayChange } from "./use-leads.ts";

const states = Object.keys(leadStates) as LeadState[];

export interface LeadBoardProps {
  filters: LeadFilters;
  onOpen: (id: string) => void;
}

/** The leads by state, a column each; choosing another state on a card moves it. */
export default function LeadBoard({ filters, onOpen }: LeadBoardProps) {
  return (
    <div className={classes.board}>
      {states.map((state) => (
        <BoardColumn key={state} state={state} filters={filters} onOpen={onOpen} />
      ))}
    </div>
  );
}

function BoardColumn({
  state,
  filters,
  onOpen,
}: {
  state: LeadState;
  filters: LeadFilters;
  onOpen: (id: string) => void;
}) {
  const list = useList("admin/leads", { input: { ...filters, state } });
  return (
    <section className={classes.column} aria-label={leadStates[state]}>
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>
          {leadStates[state]}
        </Title>
        <Text c="var(--site-muted)" fz="sm" className="tabular">
          {list.isSuccess && showTotal(list, list.rows.length)}
        </Text>
      </Group>
      {list.isPending && <ListLoading rows={2} />}
      {list.isError && !list.moreAgain && (
        <ListFailed message={messages.fetchFailed} onRetry={() => void list.refetch()} />
      )}
      <ul className={classes.events}>
        {list.rows.map((lead) => (
          <Card key={lead.id} lead={lead} onOpen={onOpen} />
        ))}
      </ul>
      {list.more && (
        <Button variant="subtle" fullWidth mt="sm" {...loading(list.more)}>
          Load more
        </Button>
      )}
      {list.moreAgain && <MoreFailed more={list.moreAgain} message={messages.fetchFailed} />}
    </section>
  );
}

function Card({ lead, onOpen }: { lead: Lead; onOpen: (id: string) => void }) {
  const queries = useQueryClient();
  const mayChange = useMayChange()(lead);
  const move = useMutation({
    mutationFn: (state: LeadState) => {
      const { id, version, owner_id, next_step, next_step_on, gstin } = lead;
      const unchanged = { id, version, lost_reason: "", owner_id, next_step, next_step_on, gstin };
      return call("admin/leads/update", { ...unchanged, state });
    },
    onError: (error) => toast.error(error.message),
    onSettled: () => refreshLeads(queries),
  });
  return (
    <li className={classes.card}>
      <div style={{ overflowWrap: "anywhere" }}>
        <Text fw={650}>
          <bdi>{lead.organization_name}</bdi>
        </Text>
        <Text fz="sm" c="var(--site-muted)">
          <span className="tabular">{lead.number}</span>, {showDay(lead.created_at)}
          {lead.total_cost && <>, {showRupees(lead.total_cost)}</>}
        </Text>
        <Text fz="sm" c="var(--site-muted)">
          <bdi>{lead.owner_name ?? "Nobody"}</bdi>
          {lead.next_step_on && `: ${lead.next_step}, ${showDay(lead.next_step_on)}`}
        </Text>
        <Overdue lead={lead} />
      </div>
      <div className={classes.cardWork}>
        {mayChange && (
          <NativeSelect
            size="sm"
            aria-label={`State of ${lead.number}`}
            value={lead.state}
            disabled={move.isPending}
            data={stateChoices}
            onChange={(event) => {
              const state = stateChoices.find(({ value }) => value === event.currentTarget.value)?.value as LeadState;
              // The panel asks why it was lost.
              if (state === "lost") onOpen(lead.id);
              else move.mutate(state);
            }}
          />
        )}
        <Button variant="default" onClick={() => onOpen(lead.id)} aria-label={`Open ${lead.number}`}>
          Open
        </Button>
      </div>
    </li>
  );
}
