import { Button, Text } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { engineKinds } from "../../contract/engine-kinds.ts";
import type { BoundEngine, EngineSort } from "../../contract/engines.ts";
import { AddressText } from "../components/address-text.tsx";
import { showTime } from "../components/display.ts";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";

export const meta = () => [{ title: `Engines – ${brand.name}` }];

function stateOf({ failing_since, last_answer_at }: BoundEngine): { tone: Tone; text: string } {
  if (failing_since !== null) return { tone: "bad", text: "Fails" };
  return last_answer_at === null ? { tone: "neutral", text: "Not heard yet" } : { tone: "good", text: "Answers" };
}
/** Since when the engine fails, and why. */
const troubleOf = ({ failing_since, sentence }: BoundEngine) =>
  failing_since === null ? "" : `Since ${showTime(failing_since)}. ${sentence ?? ""}`.trim();

const columns: readonly Column<BoundEngine, EngineSort>[] = [
  {
    label: "Customer",
    cell: ({ organization_name }) => (
      <Text fw={600} fz="inherit" style={{ overflowWrap: "anywhere" }}>
        <bdi>{organization_name}</bdi>
      </Text>
    ),
    text: ({ organization_name }) => organization_name,
    sort: "organization_name",
  },
  { label: "Engine", cell: ({ kind }) => engineKinds[kind].name, text: ({ kind }) => engineKinds[kind].name },
  {
    label: "Address",
    cell: ({ address }) => (
      <span style={{ overflowWrap: "anywhere" }}>
        <AddressText address={address} />
      </span>
    ),
    text: ({ address }) => address,
    below: true,
  },
  {
    label: "State",
    cell: (engine) => {
      const { tone, text } = stateOf(engine);
      return (
        <>
          <StateBadge tone={tone}>{text}</StateBadge>
          {engine.failing_since !== null && (
            <Text fz="sm" mt={4} miw={200}>
              {troubleOf(engine)}
            </Text>
          )}
        </>
      );
    },
    text: (engine) => [stateOf(engine).text, troubleOf(engine)].filter(Boolean).join(": "),
    sort: "rank",
  },
  {
    label: "Last answer",
    cell: ({ last_answer_at }) => (last_answer_at ? showTime(last_answer_at) : "–"),
    text: ({ last_answer_at }) => last_answer_at ?? "",
  },
  {
    label: "Version",
    cell: ({ engine_version }) => engine_version ?? "–",
    text: ({ engine_version }) => engine_version ?? "",
    below: true,
  },
];

/** The engines that watch our customers, and which of them do not answer. */
export default function Engines() {
  return (
    <ListPage
      name="admin/engines/all"
      title="Engines"
      hint="The engines that watch our customers; those that failed three times in a row come first. To add or change one, open its customer’s panel."
      searchLabel="Search engines"
      columns={columns}
      ownOrder="rank"
      fileName="engines"
      empty="No engine is bound yet"
      emptyHint="Open a customer under Manage Customer to bind the first one. It then appears here with its state."
      failure="The engines could not be loaded."
      actions={({ email, organization_name, kind }) =>
        email && (
          <Button
            component={Link}
            to={`/admin/customerList?open=${encodeURIComponent(email)}`}
            variant="default"
            aria-label={`View ${engineKinds[kind].name} of ${organization_name}`}
          >
            View
          </Button>
        )
      }
    />
  );
}
