import { Button, Group, NativeSelect } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LeadFilters } from "../../../contract/lead-list.ts";
import { call } from "../../api.ts";
import { openedLater } from "../../components/later.tsx";
import { toast } from "../../toast.ts";
import { useOwners, viewsKey } from "./use-leads.ts";

const SaveView = openedLater<{ filters: LeadFilters | null; onClose: () => void }>(() => import("./save-view.tsx"), {
  filters: null,
});

/** The built-in views, and the user's saved ones. */
export function SavedViews({ filters, onChoose }: { filters: LeadFilters; onChoose: (filters: LeadFilters) => void }) {
  const { me } = useOwners();
  const queries = useQueryClient();
  const [saved, setSaved] = useState<LeadFilters | null>(null);
  const { data, isLoadingError } = useQuery({
    queryKey: viewsKey,
    queryFn: ({ signal }) => call("admin/leads/views", {}, signal),
  });
  const own = data?.views ?? [];
  const everybodys: { name: string; filters: LeadFilters }[] = [
    { name: "All leads", filters: {} },
    { name: "Open", filters: { state: "open" } },
    ...(me ? [{ name: "Mine and open", filters: { state: "open" as const, owner: me.id } }] : []),
    { name: "Due today or overdue", filters: { due: "today" } },
    { name: "New and nobody's", filters: { state: "new", owner: "nobody" } },
  ];
  const all = [...everybodys.map((view) => ({ id: view.name, ...view })), ...own];
  const chosen = all.find((view) => written(view.filters) === written(filters));
  const isOwn = own.some(({ id }) => id === chosen?.id);
  const remove = useMutation({
    mutationFn: (id: string) => call("admin/leads/delete-view", { id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: viewsKey }),
  });
  const asOption = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name });
  return (
    <Group gap="xs" align="end" wrap="nowrap" className="screen-only">
      <NativeSelect
        label="View"
        error={isLoadingError && "Own views could not be loaded. Please reload."}
        flex={1}
        value={chosen?.id ?? ""}
        onChange={(event) => {
          const view = all.find(({ id }) => id === event.currentTarget.value);
          if (view) onChoose(view.filters);
        }}
        data={[
          ...(chosen ? [] : [{ value: "", label: "Own choice" }]),
          { group: "For everybody", items: everybodys.map(({ name }) => asOption({ id: name, name })) },
          ...(own.length > 0 ? [{ group: "My views", items: own.map(asOption) }] : []),
        ]}
      />
      {isOwn && chosen && (
        <Button variant="subtle" size="md" loading={remove.isPending} onClick={() => remove.mutate(chosen.id)}>
          Delete view
        </Button>
      )}
      {!chosen && (
        <Button variant="default" size="md" onClick={() => setSaved(filters)}>
          Save view
        </Button>
      )}
      <SaveView filters={saved} onClose={() => setSaved(null)} />
    </Group>
  );
}

/** A canonical text, so that equal filters compare equal. */
const written = (filters: LeadFilters) =>
  JSON.stringify(Object.entries(filters).toSorted(([one], [other]) => one.localeCompare(other)));
