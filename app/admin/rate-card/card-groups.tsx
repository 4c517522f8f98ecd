import { Button, Group, Stack, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useCallback, useMemo } from "react";
import { keyOf } from "../../../contract/devices.ts";
import { limits } from "../../../contract/limits.ts";
import type { RateCardContent } from "../../../contract/rates.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import classes from "./rate-card.module.css";
import { newId, shownGroups, type TypedCard, type TypedType } from "./typed-card.ts";
import { type Per, type Published, TypeRow } from "./type-row.tsx";
import type { CardEditor } from "./use-card-editor.ts";

/** The device types under their groups, each with its price. */
export function CardGroups({
  editor,
  latest,
  per,
  readOnly,
}: {
  editor: CardEditor;
  latest: RateCardContent;
  per: Per;
  readOnly: boolean;
}) {
  const { typed, change } = editor;
  const published = useMemo(() => publishedTypes(latest), [latest]);
  const choices = JSON.stringify(typed.groups);
  return (
    <>
      {shownGroups(typed).map(({ id, name, types }, groupIndex) => (
        <TypesOfGroup
          key={id}
          group={{ id, name, types }}
          place={`groups.${groupIndex}`}
          {...{ editor, choices, published, per, readOnly }}
        />
      ))}
      {!readOnly && (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => change((card) => withNewGroup(card))}
          >
            Add a group
          </Button>
        </Group>
      )}
    </>
  );
}

/** One group: its name, its types, and a button to add one. `place` is its path in the card's problems. */
function TypesOfGroup({
  group: { id, name, types },
  place,
  editor,
  choices,
  published,
  per,
  readOnly,
}: {
  group: ReturnType<typeof shownGroups>[number];
  place: string;
  editor: CardEditor;
  /** The groups that a type can be moved to, as JSON for its row. */
  choices: string;
  published: ReadonlyMap<string, Published>;
  per: Per;
  readOnly: boolean;
}) {
  const { change, problems, overruled } = editor;
  const changeType = useCallback(
    (id: string, part: Partial<TypedType>) =>
      change((card) => ({
        ...card,
        types: card.types.map((type) => (type.id === id ? { ...type, ...part } : type)),
      })),
    [change],
  );
  const removeType = useCallback(
    (id: string) => change((card) => ({ ...card, types: card.types.filter((type) => type.id !== id) })),
    [change],
  );
  return (
    <PanelSection level={2} title={name || "New group"}>
      <Stack gap="xs">
        {!readOnly && (
          <TextInput
            label="Name of the group"
            maw={420}
            mb="xs"
            maxLength={limits.deviceTypeLengthMax}
            value={name}
            error={problems[`${place}.name`]}
            onChange={(event) => change(withGroupName(id, event.currentTarget.value))}
          />
        )}
        <div>
          <Heads per={per} />
          {types.map((type, index) => (
            <TypeRow
              key={type.id}
              type={type}
              per={per}
              published={published.get(type.id) ?? null}
              groups={choices}
              groupName={name}
              {...problemOf(problems, `${place}.types.${index}`)}
              overruled={overruled[type.id]}
              readOnly={readOnly}
              onChange={changeType}
              onRemove={removeType}
            />
          ))}
        </div>
        {!readOnly && (
          <Group mt="xs">
            <Button
              variant="default"
              leftSection={<IconPlus size={18} aria-hidden />}
              aria-label={`Add a device type to ${name || "the new group"}`}
              onClick={() => change(withType(id))}
            >
              Add a device type
            </Button>
          </Group>
        )}
      </Stack>
    </PanelSection>
  );
}

function Heads({ per }: { per: Per }) {
  return (
    <div className={`${classes.row} ${classes.heads}`} aria-hidden>
      <span>Device type</span>
      <span>Counted by</span>
      <span>Rupees a {per}</span>
    </div>
  );
}

const withGroupName = (id: string, name: string) => (card: TypedCard) => ({
  ...card,
  groups: card.groups.map((group) => (group.id === id ? { ...group, name } : group)),
});

const newType = (groupId: string): TypedType => ({
  id: newId(),
  key: null,
  groupId,
  name: "",
  unit: "device",
  yearly: "",
  retired: false,
});

const withType = (groupId: string) => (card: TypedCard) => ({ ...card, types: [...card.types, newType(groupId)] });

function withNewGroup(card: TypedCard): TypedCard {
  const id = newId();
  return { ...card, groups: [...card.groups, { id, name: "" }], types: [...card.types, newType(id)] };
}

/** The same object for every row without a problem, so that memoised rows do not render again. */
function problemOf(problems: Record<string, string>, place: string) {
  const [name, unit, yearly] = ["name", "unit", "yearly"].map((field) => problems[`${place}.${field}`]);
  return { problem: (name ?? unit ?? yearly) === undefined ? none : { name, unit, yearly } };
}

const none = {};

/** The previous card's types by id. */
const publishedTypes = (latest: RateCardContent) =>
  new Map<string, Published>(
    latest.groups.flatMap(({ name: group, types }) =>
      types.flatMap((type) => (type.key ? [[keyOf(type.key), { ...type, group }] as const] : [])),
    ),
  );
