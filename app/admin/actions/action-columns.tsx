import { Text } from "@mantine/core";
import type { ActionItem, ActionSort } from "../../../contract/actions.ts";
import { DayAndTime } from "../../components/unbroken.tsx";
import type { Column } from "../../lists/column.ts";
import { ActionState, stateOf } from "./action-state.tsx";

type ActionColumn = Column<ActionItem, ActionSort>;

const since: ActionColumn = {
  label: "Since",
  cell: ({ since: instant }) => <DayAndTime instant={instant} />,
  text: ({ since: instant }) => instant,
  sort: "since",
};
const who: ActionColumn = {
  label: "Who",
  cell: (item) => (
    <Text fw={650} fz="inherit">
      <bdi>{item.who}</bdi>
    </Text>
  ),
  text: (item) => item.who,
  sort: "who",
};
const about: ActionColumn = { label: "About", cell: (item) => item.about, text: (item) => item.about, below: true };
const problem: ActionColumn = {
  label: "Problem",
  cell: (item) => <bdi>{item.problem}</bdi>,
  text: (item) => item.problem,
  width: 240,
};
const state: ActionColumn = { label: "State", cell: (item) => <ActionState item={item} />, text: stateOf };

export const openColumns = [since, who, about, problem, state] as const;

export const closedColumns = [
  {
    label: "Closed",
    cell: ({ closed_at }) => closed_at && <DayAndTime instant={closed_at} />,
    text: ({ closed_at }) => closed_at ?? "",
    sort: "closed_at",
  },
  who,
  about,
  problem,
  state,
  {
    label: "Reason",
    cell: ({ resolution }) => <bdi>{resolution || "–"}</bdi>,
    text: ({ resolution }) => resolution,
    width: 200,
  },
  { ...since, cell: () => null, fileOnly: true },
] as const satisfies readonly ActionColumn[];
