import { Box, Button, Group } from "@mantine/core";
import { IconPlus, IconUpload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { OperatorLogSource } from "../../contract/log-sources.ts";
import { call } from "../api.ts";
import { openedLater } from "../components/later.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { ListPage } from "../lists/list-page.tsx";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import type { ListSort } from "../lists/use-list.ts";
import { useMayCall } from "../portal/use-may-call.ts";
import { toast } from "../toast.ts";

export const meta = () => [{ title: `Log sources – ${brand.name}` }];

const LogSourceDialog = openedLater<{ edited: OperatorLogSource | "new" | null; onClose: () => void }>(
  () => import("./log-sources/log-source-dialog.tsx"),
  { edited: null },
);
const ImportDialog = openedLater<{ opened: boolean; onClose: () => void }>(
  () => import("./log-sources/import-dialog.tsx"),
  { opened: false },
);

const shownChoices = [
  { value: "all", label: "All" },
  { value: "offered", label: "Offered" },
  { value: "retired", label: "Retired" },
] as const;
const state = ({ retired }: OperatorLogSource) => (retired ? "Retired" : "Offered");
const columns: readonly Column<OperatorLogSource, ListSort<"admin/log-sources">>[] = [
  { label: "Product", cell: ({ product }) => <bdi>{product}</bdi>, text: ({ product }) => product, sort: "product" },
  { label: "Category", cell: ({ category }) => category, text: ({ category }) => category, sort: "category" },
  { label: "Label", cell: ({ label }) => label, text: ({ label }) => label, sort: "label" },
  { label: "Format", cell: ({ format }) => format, text: ({ format }) => format, sort: "format", below: true },
  {
    label: "State",
    cell: (source) => <StateBadge tone={source.retired ? "neutral" : "good"}>{state(source)}</StateBadge>,
    text: state,
  },
];

/** The catalogue that visitors search: administrators edit it, their child accounts read it. */
export default function LogSources() {
  const [edited, setEdited] = useState<OperatorLogSource | "new" | null>(null);
  const [importing, setImporting] = useState(false);
  const [shown, setShown] = useChoiceOfAddress("state", shownChoices);
  const mayEdit = useMayCall()("admin/log-sources/add");
  return (
    <>
      <ListPage
        name="admin/log-sources"
        {...(shown !== "all" && { input: { state: shown } })}
        title="Log sources"
        hint="What visitors find under Supported log Types. Changes appear there at once."
        searchLabel="Search products and categories"
        firstOrder="product"
        columns={columns}
        fileName="log-sources"
        empty="No log sources found"
        filters={
          <Box mb="md">
            <ChoiceButtons label="Which log sources" choices={shownChoices} value={shown} onChange={setShown} />
          </Box>
        }
        {...(mayEdit && {
          actionsLabel: "Change",
          actions: (source: OperatorLogSource) => <Actions source={source} onEdit={() => setEdited(source)} />,
        })}
      >
        {mayEdit && (
          <Group gap="sm">
            <Button
              variant="default"
              size="md"
              leftSection={<IconUpload size={18} aria-hidden />}
              onClick={() => setImporting(true)}
            >
              Import CSV
            </Button>
            <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited("new")}>
              Add
            </Button>
          </Group>
        )}
      </ListPage>
      <LogSourceDialog edited={edited} onClose={() => setEdited(null)} />
      <ImportDialog opened={importing} onClose={() => setImporting(false)} />
    </>
  );
}

function Actions({ source, onEdit }: { source: OperatorLogSource; onEdit: () => void }) {
  const queries = useQueryClient();
  const { id, version, retired, product } = source;
  const change = useMutation({
    mutationFn: () => call("admin/log-sources/retire", { id, version, retired: !retired }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error("It could not be changed.", { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin/log-sources"] }),
  });
  return (
    <>
      <Button variant="default" aria-label={`Edit ${product}`} onClick={onEdit}>
        Edit
      </Button>
      <Button
        variant="default"
        aria-label={`${retired ? "Offer" : "Retire"} ${product}`}
        loading={change.isPending}
        onClick={() => change.mutate()}
      >
        {retired ? "Offer" : "Retire"}
      </Button>
    </>
  );
}
