import { Alert, Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import { missingIn } from "../../../contract/post-states.ts";
import type { Post, PostContent } from "../../../contract/posts.ts";
import { call } from "../../api.ts";
import { showTime } from "../../components/display.ts";
import type { ConfirmDialogProps } from "../../components/confirm-dialog.tsx";
import { openedLater } from "../../components/later.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { StickyBar } from "../../components/sticky-bar.tsx";
import classes from "./blog.module.css";
import { changesBetween, fieldNames, textOfField } from "./post-changes.ts";
import type { ScheduleDialogProps } from "./schedule-dialog.tsx";
import type { PostEditing } from "./use-post-editor.ts";

const ScheduleDialog = openedLater<ScheduleDialogProps>(() => import("./schedule-dialog.tsx"), { opened: false });
const ConfirmDialog = openedLater<ConfirmDialogProps>(() => import("../../components/confirm-dialog.tsx"), {
  opened: false,
});

interface BarProps {
  post: Post | null;
  editing: PostEditing;
  /** Saves pending changes, then shows the article as visitors will see it. */
  onPreview: (typed: PostContent) => void;
}

/** Whether the article is saved, and what can be done with it; always in sight, wherever the text is scrolled to. */
export function PostBar({ post, editing, onPreview }: BarProps) {
  const [dialog, setDialog] = useState<"schedule" | "unpublish" | null>(null);
  const isShown = post?.state === "published";
  const setScheduling = (opened: boolean) => {
    editing.act.reset();
    editing.setProblems({});
    setDialog(opened ? "schedule" : null);
  };
  return (
    <>
      <StickyBar label="Article">
        <div style={{ flex: "1 1 240px", minWidth: 0 }}>
          <Standing post={post} editing={editing} isCovered={dialog !== null} />
        </div>
        {!editing.overtaken && !editing.isGone && (
          <Actions
            post={post}
            editing={editing}
            onPreview={onPreview}
            onSchedule={() => setScheduling(true)}
            onTakeOff={() => setDialog("unpublish")}
          />
        )}
      </StickyBar>
      <ScheduleDialog opened={dialog === "schedule"} onClose={() => setScheduling(false)} editing={editing} />
      <TakingOff opened={dialog === "unpublish"} isShown={isShown} editing={editing} onClose={() => setDialog(null)} />
    </>
  );
}

/** Whether it is saved, or what prevents it. An open dialog shows its own errors. */
function Standing({ post, editing, isCovered }: { post: Post | null; editing: PostEditing; isCovered: boolean }) {
  const { act, save } = editing;
  if (editing.isGone) return <Gone editing={editing} />;
  if (editing.overtaken && post)
    return (
      <Overtaken
        merges
        details={<Theirs post={post} editing={editing} />}
        onKeep={editing.bringIn}
        onTake={editing.dropMine}
      >
        {post.updated_by ?? "Somebody else"} has changed this article meanwhile. What you typed is still here.
      </Overtaken>
    );
  const error = isCovered ? null : (act.error ?? save.error);
  const wrong = Object.values(editing.problems).filter((problem) => problem !== undefined);
  return (
    <>
      <Text fw={550} role="status">
        {standingOf(editing, post)}
      </Text>
      {(error ?? wrong[0]) && (
        <Text c="var(--mantine-color-error)" role="alert">
          {wrong.length > 1 ? `${wrong.length} fields are not right yet: ${wrong[0]}` : (error?.message ?? wrong[0])}
        </Text>
      )}
    </>
  );
}

function Actions({
  post,
  editing,
  onPreview,
  onSchedule,
  onTakeOff,
}: BarProps & { onSchedule: () => void; onTakeOff: () => void }) {
  const { save, act, isDirty, typed } = editing;
  /** Whether nothing is missing that visitors need; what is missing is said beside its field. */
  const isWhole = () => {
    const missing = missingIn(typed);
    editing.tellProblems(missing);
    return Object.keys(missing).length === 0;
  };
  const publish = () => {
    if (isWhole()) act.mutate((seen) => call("admin/posts/publish", { ...seen, at: null }));
  };
  const busy = save.isPending || act.isPending;
  const isShown = post?.state === "published";
  const canPublish = !isShown || isDirty || post.has_changes;
  return (
    <Group gap="sm" className="share-a-row">
      {(isShown || post?.state === "scheduled") && (
        <Button variant="subtle" mih={44} disabled={busy} onClick={onTakeOff}>
          {isShown ? "Take off the site…" : "Take off the schedule…"}
        </Button>
      )}
      <Button variant="default" mih={44} disabled={busy} onClick={() => onPreview(typed)}>
        {isDirty ? "Save and preview" : "Preview"}
      </Button>
      <ReadyButton
        variant="default"
        mih={44}
        loading={save.isPending}
        disabled={busy}
        isReady={isDirty}
        onClick={() => save.mutate(typed)}
      >
        Save
      </ReadyButton>
      {!isShown && (
        <Button variant="default" mih={44} disabled={busy} onClick={() => isWhole() && onSchedule()}>
          Schedule…
        </Button>
      )}
      <ReadyButton mih={44} loading={act.isPending} disabled={busy} isReady={canPublish} onClick={publish}>
        {isShown ? "Publish the changes" : "Publish"}
      </ReadyButton>
    </Group>
  );
}

/** Somebody deleted the draft while it was being edited here. */
const Gone = ({ editing: { begin, save } }: { editing: PostEditing }) => (
  <Alert color="orange" variant="light" role="alert">
    <Text mb="sm">Somebody has deleted this draft meanwhile. What you typed is still here.</Text>
    <Button variant="default" mih={44} loading={save.isPending} onClick={begin}>
      Save it as a new article
    </Button>
  </Alert>
);

function TakingOff({
  opened,
  isShown,
  editing: { act, isDirty },
  onClose,
}: {
  opened: boolean;
  isShown: boolean;
  editing: PostEditing;
  onClose: () => void;
}) {
  return (
    <ConfirmDialog
      opened={opened}
      title={isShown ? "Take off the site" : "Take off the schedule"}
      confirm={isShown ? "Take it off the site" : "Take it off the schedule"}
      pending={act.isPending}
      onClose={onClose}
      onConfirm={() => act.mutate((seen) => call("admin/posts/unpublish", seen), { onSettled: onClose })}
    >
      {isShown
        ? "Visitors and feeds no longer see it. It stays here, and can be published again at the same address."
        : "It stays here as a draft."}{" "}
      {isDirty && "What you typed is saved with it."}
    </ConfirmDialog>
  );
}

function standingOf({ isDirty, save, saved }: PostEditing, post: Post | null): string {
  if (save.isPending) return "Saving …";
  if (isDirty) return "Not saved yet";
  if (!post || saved.version === 0) return "Nothing written yet";
  return `Saved ${showTime(post.updated_at)}`;
}

/** What somebody else saved during the edit, field by field. */
function Theirs({ post, editing }: { post: Post; editing: PostEditing }) {
  return changesBetween(editing.saved.content, post.content).map((field) => (
    <details key={field}>
      <summary>{fieldNames[field]}: what was saved</summary>
      <pre className={classes.old}>{textOfField(field, post.content) || "(empty)"}</pre>
    </details>
  ));
}
