import { Button, Group, Stack } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { leaveUnsaved, useKeepUnsaved } from "../../components/use-keep-unsaved.ts";
import { type Announcement, NewAnnouncement } from "../../../contract/announcements.ts";
import { ApiError, call } from "../../api.ts";
import { fieldErrors, showServerErrors, submitting } from "../../forms/form-errors.ts";
import { useNewest } from "../../forms/use-newest.ts";
import { keepTyped } from "../../forms/kept-typed.ts";
import { useKeptForm } from "../../forms/use-kept-form.ts";
import { newsKey } from "../../portal/use-news.ts";
import { toast } from "../../toast.ts";
import { AnnouncementFields } from "./announcement-fields.tsx";
import { AnnouncementPreview } from "./announcement-preview.tsx";
import { asSent, newlyTyped, type TypedAnnouncement, typedOf } from "./typed-announcement.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

export interface AnnouncementDialogProps {
  edited: Announcement | "new" | null;
  onClose: () => void;
}

const nameOf = (edited: Announcement | "new") => `announcement ${edited === "new" ? "new" : edited.id}`;

/** Writes or changes an announcement, with a preview first. */
export default function AnnouncementDialog({ edited, onClose }: AnnouncementDialogProps) {
  const [isDirty, setIsDirty] = useState(false);
  const forget = () => edited && keepTyped(nameOf(edited), null);
  useKeepUnsaved(isDirty, "in this announcement", forget);
  const close = () => {
    setIsDirty(false);
    forget();
    onClose();
  };
  const leave = () => {
    if (!isDirty || window.confirm(leaveUnsaved)) close();
  };
  return (
    <Dialog
      opened={edited !== null}
      onClose={leave}
      title={edited === "new" ? "Write an announcement" : "Edit the announcement"}
      size="xl"
    >
      {edited && (
        <AnnouncementForm
          key={edited === "new" ? "new" : edited.id}
          edited={edited}
          onDirty={setIsDirty}
          onDone={close}
          onCancel={leave}
        />
      )}
    </Dialog>
  );
}

function AnnouncementForm({
  edited: opened,
  onDirty,
  onDone,
  onCancel,
}: {
  edited: Announcement | "new";
  onDirty: (isDirty: boolean) => void;
  onDone: () => void;
  onCancel: () => void;
}) {
  const [edited, look] = useNewest("admin/announcements", "id", opened);
  const check = fieldErrors(NewAnnouncement);
  // A retry after a lost answer sends the same id: even if edited in between, nothing is announced twice.
  const [fresh] = useState(() => ({ ...newlyTyped(new Date()), id: crypto.randomUUID() as string }));
  const first = edited === "new" ? fresh : { ...typedOf(edited), id: edited.id };
  const validate = (typed: TypedAnnouncement) => check(asSent(typed));
  const seen = edited === "new" ? 0 : edited.version;
  const { form, version, isDirty, overtaken } = useKeptForm(nameOf(edited), first, onDone, validate, seen);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const { id } = form.values;
  const [arrived, setArrived] = useState(false);
  const kept = edited === "new" && !arrived ? null : { id, version: arrived ? 1 : version };
  const tell = (error: Error) => {
    if (!(error instanceof ApiError)) return;
    showServerErrors(form, error);
    // The first attempt did arrive, as the message says: from now on saving changes that announcement.
    if (error.status === 409 && !kept) setArrived(true);
  };
  const save = useSave(kept, id, onDone, tell, look);
  const preview = useMutation({
    mutationFn: async (typed: TypedAnnouncement) => ({
      said: asSent(typed),
      reached: await call("admin/announcements/preview", asSent(typed)),
    }),
    onError: tell,
  });
  const failure = save.error ?? preview.error;
  const isShown = edited !== "new" && edited.state === "shown";
  return (
    <form noValidate {...heldWhileSent(save.isPending)} onSubmit={submitting(form, (typed) => save.mutate(typed))}>
      <Stack gap="md">
        {overtaken && <Overtaken {...overtaken} />}
        {failure && <Refusal>{failure.message}</Refusal>}
        <AnnouncementFields form={form} isShown={isShown} />
        {preview.data && <AnnouncementPreview {...preview.data} isShown={isShown} />}
        <Group justify="flex-end" mt="xs" className="share-a-row">
          <Button variant="default" size="md" onClick={onCancel} disabled={save.isPending}>
            Cancel
          </Button>
          <Button
            variant="default"
            size="md"
            loading={preview.isPending}
            onClick={() => {
              save.reset();
              submitting(form, (typed) => preview.mutate(typed))();
            }}
          >
            Preview
          </Button>
          <Button type="submit" size="md" loading={save.isPending}>
            {kept ? "Save" : "Announce"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

type Version = Pick<Announcement, "id" | "version">;

/** Creates the announcement under the id made in the browser, or changes the one that is saved. */
function useSave(
  kept: Version | null,
  id: string,
  onDone: () => void,
  onError: (error: Error) => void,
  look: () => boolean,
) {
  const queries = useQueryClient();
  const save = useMutation({
    mutationFn: (typed: TypedAnnouncement) =>
      kept
        ? call("admin/announcements/change", { ...asSent(typed), id: kept.id, version: kept.version })
        : call("admin/announcements/add", { ...asSent(typed), id }),
    onSuccess: ({ message }) => {
      toast.success(message);
      onDone();
    },
    onError,
    onSettled: async (_answer, error) => {
      await Promise.all([
        queries.invalidateQueries({ queryKey: ["admin/announcements"] }),
        queries.invalidateQueries({ queryKey: newsKey }),
      ]);
      if (error instanceof ApiError && error.status === 409 && look()) save.reset();
    },
  });
  return save;
}
