import { Menu } from "@mantine/core";
import type { ReactElement } from "react";
import { useOpenedByPress } from "../../components/menu-button.tsx";
import type { TypedType } from "./typed-card.ts";

/** The menu of a device type: retire, remove or move it. */
export default function TypeMenuItems({
  button,
  type,
  groups,
  isPublished,
  onChange,
  onRemove,
}: {
  button: ReactElement;
  type: TypedType;
  /** Name and id of each group that it can be moved to, as JSON. */
  groups: string;
  isPublished: boolean;
  onChange: (id: string, change: Partial<TypedType>) => void;
  onRemove: (id: string) => void;
}) {
  const others = (JSON.parse(groups) as { id: string; name: string }[]).filter(({ id }) => id !== type.groupId);
  return (
    <Menu {...useOpenedByPress()} position="bottom-end" withinPortal>
      <Menu.Target>{button}</Menu.Target>
      {/* In a low window it scrolls, which Mantine's own focus on the first entry does not do. */}
      <Menu.Dropdown
        mah="min(360px, 100dvh - 5rem)"
        style={{ overflowY: "auto" }}
        onFocus={({ target }) => target.scrollIntoView({ block: "nearest" })}
      >
        {isPublished ? (
          <Menu.Item onClick={() => onChange(type.id, { retired: !type.retired })}>
            {type.retired ? "Bring back" : "Retire"}
          </Menu.Item>
        ) : (
          <Menu.Item onClick={() => onRemove(type.id)}>Remove</Menu.Item>
        )}
        {others.length > 0 && <Menu.Label>Move to</Menu.Label>}
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => onChange(type.id, { groupId: id })}>
            {name || "the new group"}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
