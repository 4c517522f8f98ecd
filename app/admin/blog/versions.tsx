import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Post } from "../../../contract/posts.ts";
import { showTime } from "../../components/display.ts";
import { openedLater } from "../../components/later.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import classes from "./blog.module.css";
import type { PostEditing } from "./use-post-editor.ts";
import type { VersionPanelProps } from "./version-panel.tsx";

const VersionPanel = openedLater<VersionPanelProps>(() => import("./version-panel.tsx"), { version: null });

const shownAtFirst = 8;

/** All saved versions, newest first. */
export function Versions({
  id,
  post,
  editing,
  readOnly,
}: {
  id: string;
  post: Post;
  editing: PostEditing;
  readOnly: boolean;
}) {
  const [opened, setOpened] = useState<number | null>(null);
  const [all, setAll] = useState(false);
  const shown = all ? post.versions : post.versions.slice(0, shownAtFirst);
  return (
    <PanelSection level={2} title="Versions">
      <ul className={classes.versions}>
        {shown.map(({ version, saved_at, saved_by, published }) => (
          <li key={version}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <div style={{ minWidth: 0 }}>
                <Text>{showTime(saved_at)}</Text>
                <Text fz="sm" c="var(--site-muted)">
                  {saved_by ?? "Came with the product"}
                </Text>
                {published && <StateBadge tone="good">On the site</StateBadge>}
              </div>
              <Button
                variant="subtle"
                mih={44}
                aria-label={`Show the version of ${showTime(saved_at)}`}
                onClick={() => setOpened(version)}
              >
                Show
              </Button>
            </Group>
          </li>
        ))}
      </ul>
      {!all && post.versions.length > shownAtFirst && (
        <Button variant="subtle" mih={44} onClick={() => setAll(true)}>
          Show all {post.versions.length}
        </Button>
      )}
      <VersionPanel id={id} version={opened} editing={editing} readOnly={readOnly} onClose={() => setOpened(null)} />
    </PanelSection>
  );
}
