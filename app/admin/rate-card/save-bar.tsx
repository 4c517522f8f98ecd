import { Button, Group, Text } from "@mantine/core";
import { useState } from "react";
import type { Rates } from "../../../contract/rates.ts";
import { isolated, showTime } from "../../components/display.ts";
import { openedLater } from "../../components/later.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { StickyBar } from "../../components/sticky-bar.tsx";
import type { DiscardDialogProps } from "./discard-dialog.tsx";
import type { PublishDialogProps } from "./publish-dialog.tsx";
import type { CardEditor } from "./use-card-editor.ts";

const DiscardDialog = openedLater<DiscardDialogProps>(() => import("./discard-dialog.tsx"), { opened: false });
const PublishDialog = openedLater<PublishDialogProps>(() => import("./publish-dialog.tsx"), { opened: false });

/** Whether the card is saved, and what can be done with it; always in sight, wherever the card is scrolled to. */
export function SaveBar({ editor, rates }: { editor: CardEditor; rates: Rates }) {
  const { save, isDirty, overtaken } = editor;
  const [publishing, setPublishing] = useState(false);
  const [discarding, setDiscarding] = useState(false);
  const wrong = Object.values(editor.problems);
  const trySave = async () => {
    if (!save.isPending && (await editor.check())) await editor.saveDraft().catch(() => {});
  };
  const tryPublish = async () => setPublishing(await editor.check());
  const hasNews = isDirty || rates.draft !== null || rates.latest.isSample;
  return (
    <>
      <StickyBar label="Draft">
        <div style={{ flex: "1 1 260px", minWidth: 0 }}>
          {overtaken ? (
            <Overtaken merges onKeep={editor.bringIn} onTake={editor.dropMine}>
              {overtakenBy(rates)}
            </Overtaken>
          ) : (
            <Text fw={550} role="status">
              {standingOf(editor, rates)}
            </Text>
          )}
          {save.error && !overtaken && (
            <Text c="var(--mantine-color-error)" role="alert">
              {save.error.message}
            </Text>
          )}
          {wrong.length > 0 && (
            <Text c="var(--mantine-color-error)" role="alert">
              {wrong.length === 1 ? wrong[0] : `${wrong.length} fields are not right yet: ${wrong[0]}`}
            </Text>
          )}
        </div>
        {!overtaken && (
          <Group gap="sm" className="share-a-row">
            {isDirty && <LeavingButton onClick={editor.dropMine}>Undo</LeavingButton>}
            {!isDirty && rates.draft && (
              <LeavingButton onClick={() => setDiscarding(true)}>Discard draft</LeavingButton>
            )}
            <ReadyButton
              variant="default"
              mih={44}
              loading={save.isPending}
              isReady={isDirty}
              onClick={() => void trySave()}
            >
              Save draft
            </ReadyButton>
            <ReadyButton mih={44} isReady={hasNews} onClick={() => void tryPublish()}>
              Publish…
            </ReadyButton>
          </Group>
        )}
      </StickyBar>
      <DiscardDialog opened={discarding} onClose={() => setDiscarding(false)} editor={editor} />
      <PublishDialog opened={publishing} onClose={() => setPublishing(false)} editor={editor} rates={rates} />
    </>
  );
}

/** A button that its action removes. Focus moves to one that is disabled by then, so a second Enter does no harm. */
const LeavingButton = (button: { onClick: () => void; children: string }) => (
  <Button variant="subtle" mih={44} data-next="[aria-disabled]" {...button} />
);

function standingOf({ isDirty, save }: CardEditor, { draft, latest }: Rates): string {
  if (isDirty) return save.isPending ? "Saving …" : "Not saved yet";
  if (draft) return `Draft, saved by ${isolated(draft.saved_by)}, ${showTime(draft.saved_at)}`;
  return `As card ${latest.number} has it`;
}

function overtakenBy({ draft, latest }: Rates): string {
  const what = draft
    ? `${isolated(draft.saved_by)} has saved the draft meanwhile`
    : `Card ${latest.number} is the latest by now, and there is no draft any more`;
  return `${what}. What you typed is still here.`;
}
