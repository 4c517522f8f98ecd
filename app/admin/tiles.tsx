import { Anchor, Button } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { OperatorTile } from "../../contract/tiles.ts";
import { call } from "../api.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { openedLater } from "../components/later.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import type { ListSort } from "../lists/use-list.ts";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Tiles – ${brand.name}` }];

const TileDialog = openedLater<{ edited: OperatorTile | "new" | null; onClose: () => void }>(
  () => import("./tiles/tile-dialog.tsx"),
  { edited: null },
);

const seenBy = ({ organization_name: customer }: OperatorTile) => customer ?? "All customers";
const columns: readonly Column<OperatorTile, ListSort<"admin/tiles">>[] = [
  { label: "Order", cell: ({ place }) => place, text: ({ place }) => place, sort: "place", numeric: true },
  { label: "Title", cell: ({ title }) => <bdi>{title}</bdi>, text: ({ title }) => title, sort: "title" },
  { label: "Text", cell: ({ text }) => text, text: ({ text }) => text, below: true },
  { label: "For", cell: (tile) => <bdi>{seenBy(tile)}</bdi>, text: seenBy },
  {
    label: "Address",
    cell: ({ url }) => (
      <Anchor href={url} target="_blank" rel="noopener noreferrer" fz="inherit">
        {url}
      </Anchor>
    ),
    text: ({ url }) => url,
  },
  {
    label: "State",
    cell: ({ shown }) => <StateBadge tone={shown ? "good" : "neutral"}>{shown ? "Shown" : "Hidden"}</StateBadge>,
    text: ({ shown }) => (shown ? "Shown" : "Hidden"),
  },
];

/** The tiles on customers' dashboards besides SIEM and SOAR, which are edited in each customer's panel. */
export default function Tiles() {
  const [edited, setEdited] = useState<OperatorTile | "new" | null>(null);
  const mayEdit = useMayCall()("admin/tiles/add");
  return (
    <>
      <ListPage
        name="admin/tiles"
        title="Tiles"
        hint="What customers see on their dashboard after SIEM and SOAR, in the order of its number."
        searchLabel="Search tiles"
        firstOrder="place"
        columns={columns}
        fileName="tiles"
        empty="No tiles yet"
        emptyHint="A tile links to an external page, such as your help desk."
        {...(mayEdit && {
          actionsLabel: "Change",
          actions: (tile: OperatorTile) => (
            <>
              <Button variant="default" aria-label={`Edit ${tile.title}`} onClick={() => setEdited(tile)}>
                Edit
              </Button>
              <Removal tile={tile} />
            </>
          ),
        })}
      >
        {mayEdit && (
          <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited("new")}>
            Add
          </Button>
        )}
      </ListPage>
      <TileDialog edited={edited} onClose={() => setEdited(null)} />
    </>
  );
}

function Removal({ tile: { id, version, title } }: { tile: OperatorTile }) {
  return (
    <ConfirmedAction
      label="Remove"
      about={title}
      title="Remove the tile"
      failed="It could not be removed."
      act={() => call("admin/tiles/remove", { id, version })}
      stale={[["admin/tiles"]]}
    >
      <bdi>{title}</bdi> will be removed from all dashboards. To restore it, you have to enter it again; to remove it
      for a while, hide it instead.
    </ConfirmedAction>
  );
}
