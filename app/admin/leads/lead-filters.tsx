import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import type { LeadFilters as Filters } from "../../../contract/lead-list.ts";
import { leadSources } from "../../../contract/lead-states.ts";
import { CheckBox } from "../../components/check-box.tsx";
import { openedLater } from "../../components/later.tsx";
import { useAddress } from "../../lists/use-address.ts";
import classes from "./leads.module.css";
import type { HandOverProps } from "./hand-over.tsx";
import { stateChoices } from "./lead-state.tsx";
import { SavedViews } from "./saved-views.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { useOwners } from "./use-leads.ts";

const HandOver = openedLater<HandOverProps>(() => import("./hand-over.tsx"), { from: null });

const names = ["state", "owner", "source", "due", "rates", "from", "to"] as const satisfies (keyof Filters)[];

/** The filters of the leads, kept in the address so that they can be bookmarked and sent as a link. */
export function useLeadFilters(): [Filters, (filters: Filters) => void] {
  const [address, change] = useAddress();
  const given = names.map((name) => [name, address.get(name)] as const).filter(([, value]) => value);
  const narrow = (filters: Filters) => change(Object.fromEntries(names.map((name) => [name, filters[name]])));
  return [Object.fromEntries(given) as Filters, narrow];
}

/** Filters the leads as soon as something is chosen; the filters can be saved as a view. */
export function LeadFilters({ withState = true }: { withState?: boolean }) {
  const [filters, narrow] = useLeadFilters();
  const { owners, former, me, failure } = useOwners();
  const mayAssign = useMayCall()("admin/leads/hand-over");
  const left = former.find(({ id }) => id === filters.owner);
  const [given, setGiven] = useState<HandOverProps["from"]>(null);
  const set = (change: { [Name in keyof Filters]?: string | undefined }) => {
    const next = Object.entries({ ...filters, ...change }).filter(([, value]) => value);
    narrow(Object.fromEntries(next) as Filters);
  };
  return (
    <div className={classes.filters} role="group" aria-label="Narrow the leads">
      <SavedViews filters={filters} onChoose={narrow} />
      {withState && (
        <NativeSelect
          label="State"
          value={filters.state ?? ""}
          onChange={(event) => set({ state: event.currentTarget.value })}
          data={[{ value: "", label: "Any" }, { value: "open", label: "Open" }, ...stateChoices]}
        />
      )}
      <NativeSelect
        label="Owner"
        error={failure}
        value={filters.owner ?? ""}
        onChange={(event) => set({ owner: event.currentTarget.value })}
        data={[
          { value: "", label: "Anybody" },
          ...(me ? [{ value: me.id, label: "Me" }] : []),
          { value: "nobody", label: "Nobody" },
          ...owners.filter(({ id }) => id !== me?.id).map(({ id, name }) => ({ value: id, label: name })),
          // Their leads wait for another owner: nobody is reminded of them.
          ...former.map(({ id, name }) => ({ value: id, label: `${name} (suspended)` })),
        ]}
      />
      <NativeSelect
        label="Source"
        value={filters.source ?? ""}
        onChange={(event) => set({ source: event.currentTarget.value })}
        data={[{ value: "", label: "Any" }, ...Object.entries(leadSources).map(([value, label]) => ({ value, label }))]}
      />
      <TextInput
        label="From"
        type="date"
        value={filters.from ?? ""}
        onChange={(event) => set({ from: event.currentTarget.value })}
      />
      <TextInput
        label="To"
        type="date"
        value={filters.to ?? ""}
        onChange={(event) => set({ to: event.currentTarget.value })}
      />
      <div className={classes.checks}>
        <CheckBox
          label="Due today or overdue"
          checked={filters.due === "today"}
          onChange={(checked) => set({ due: checked ? "today" : undefined })}
        />
        <CheckBox
          label="Only with rates to confirm"
          checked={filters.rates === "waiting"}
          onChange={(checked) => set({ rates: checked ? "waiting" : undefined })}
        />
        {left && mayAssign && (
          <Button variant="default" onClick={() => setGiven(left)}>
            Hand over all open leads
          </Button>
        )}
        <HandOver from={given} onClose={() => setGiven(null)} onDone={(owner) => set({ owner })} />
      </div>
    </div>
  );
}
