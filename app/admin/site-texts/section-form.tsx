import { Box, Button, Group, List, Stack } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { Sent } from "../../../contract/operations.ts";
import type { SiteSection } from "../../../contract/shown-texts.ts";
import { type SiteSettings, siteSections, type TextChange } from "../../../contract/site-texts.ts";
import { changesBetween } from "../../../contract/text-changes.ts";
import { ApiError, call } from "../../api.ts";
import { Refusal } from "../../components/refusal.tsx";
import { Overtaken } from "../../components/overtaken.tsx";
import { ReadyButton } from "../../components/ready-button.tsx";
import { StickyBar } from "../../components/sticky-bar.tsx";
import { fieldErrors, showErrors, submitting } from "../../forms/form-errors.ts";
import { keepTyped, keptTyped } from "../../forms/kept-typed.ts";
import { toast } from "../../toast.ts";
import { PagePreview } from "./page-preview.tsx";
import { settingsKey } from "./settings-key.ts";
import { heldWhileSent } from "../../forms/held-while-sent.ts";

/** How a section is edited: conversions between its content and the form's values, and its fields. */
export interface SectionEditor<Content, Typed> {
  typedOf(content: Content): Typed;
  contentOf(typed: Typed): object;
  /** The form field that shows an error at this path of the content. */
  fieldOf?(place: string): string;
  Fields: ComponentType<{ form: UseFormReturnType<Typed> }>;
}

/** The name under which a section's unsaved input is kept. */
export const textsKeptAs = (section: SiteSection) => `site texts ${section}`;

/** The server's refusal after somebody else saved first, and what is saved now. */
interface Faster<Held> {
  sentence: string;
  theirs: Held;
}

/** Edits, previews and saves a section. After somebody else's save no input is lost: the user compares and decides. */
export function SectionForm<Section extends SiteSection, Typed extends Record<string, unknown>>({
  section,
  held,
  editor,
  onDirty,
  onClose,
}: {
  section: Section;
  held: SiteSettings[Section];
  editor: SectionEditor<SiteSettings[Section]["content"], Typed>;
  onDirty: (dirty: boolean) => void;
  onClose: () => void;
}) {
  // The section as it was when editing began, whatever is fetched meanwhile.
  const [kept] = useState(() => keptTyped(textsKeptAs(section)) as { start: typeof held; typed: Typed } | null);
  const [start, setStart] = useState(kept?.start ?? held);
  const placed = (errors: Record<string, string>) => placedIn(errors, editor.fieldOf ?? String);
  const form = useForm<Typed>({
    initialValues: kept?.typed ?? editor.typedOf(start.content),
    validate: (typed) => placed(fieldErrors(siteSections[section])(editor.contentOf(typed))),
  });
  const { values: typed } = form;
  const dirty = JSON.stringify(typed) !== JSON.stringify(editor.typedOf(start.content));
  useEffect(() => onDirty(dirty), [onDirty, dirty]);
  useEffect(() => keepTyped(textsKeptAs(section), dirty ? { start, typed } : null), [section, dirty, start, typed]);
  const written = () => ({ section, content: editor.contentOf(form.getValues()) });
  const preview = useMutation({
    mutationFn: () => call("admin/settings/preview", written() as Sent<"admin/settings/preview">),
  });
  const { save, faster, decide } = useSave(section, start.version, written, {
    refused: (fields) => showErrors(form, placed(fields)),
    saved: () => {
      onDirty(false);
      onClose();
    },
  });
  const goOnFrom = (theirs: typeof held) => {
    setStart(theirs);
    decide();
  };
  const take = (theirs: typeof held) => {
    form.setValues(editor.typedOf(theirs.content));
    form.clearErrors();
    goOnFrom(theirs);
  };
  const problem = preview.error ?? (faster ? null : save.error);
  return (
    <form noValidate {...heldWhileSent(save.isPending)} onSubmit={submitting(form, () => save.mutate())}>
      <Box maw={preview.data ? 1100 : 820} mx="auto">
        {preview.data ? (
          <PagePreview {...preview.data} onBack={preview.reset} />
        ) : (
          <Stack gap="md">
            <editor.Fields form={form} />
          </Stack>
        )}
        <StickyBar label="What becomes of it">
          <Stack gap="sm" flex="1 1 240px" miw={0}>
            {faster && (
              <Overtaken
                details={<Changes changes={changesBetween(start.content, faster.theirs.content)} />}
                onKeep={() => goOnFrom(faster.theirs)}
                onTake={() => take(faster.theirs)}
              >
                {faster.sentence} What you typed is still here.
              </Overtaken>
            )}
            <Problems failed={problem} wrong={Object.values(form.errors)[0]} />
          </Stack>
          <Buttons
            saving={save.isPending}
            canSave={dirty && faster === null}
            previewing={preview.isPending}
            onPreview={preview.data || section === "seller" ? null : () => submitting(form, () => preview.mutate())()}
            onClose={onClose}
          />
        </StickyBar>
      </Box>
    </form>
  );
}

/** Moves errors to the fields that show them. */
const placedIn = (errors: Record<string, string>, fieldOf: (place: string) => string) =>
  Object.fromEntries(Object.entries(errors).map(([place, error]) => [fieldOf(place.replace(/^content\./, "")), error]));

function Buttons({
  saving,
  canSave,
  previewing,
  onPreview,
  onClose,
}: {
  saving: boolean;
  canSave: boolean;
  previewing: boolean;
  /** Null while the preview is shown, and for sections that no page shows. */
  onPreview: (() => void) | null;
  onClose: () => void;
}) {
  return (
    <Group gap="sm" className="share-a-row">
      <Button variant="default" size="md" onClick={onClose} disabled={saving}>
        Cancel
      </Button>
      {onPreview && (
        <Button variant="default" size="md" loading={previewing} onClick={onPreview}>
          Preview
        </Button>
      )}
      <ReadyButton type="submit" size="md" loading={saving} isReady={canSave}>
        Save
      </ReadyButton>
    </Group>
  );
}

function Problems({ failed, wrong }: { failed: Error | null; wrong: ReactNode }) {
  return (
    <>
      {failed && <Refusal>{failed.message}</Refusal>}
      {wrong && <Refusal>Some fields are not right: {wrong}</Refusal>}
    </>
  );
}

function useSave<Section extends SiteSection>(
  section: Section,
  startVersion: number,
  written: () => object,
  then: { refused: (fields: Record<string, string>) => void; saved: () => void },
) {
  const queries = useQueryClient();
  const [faster, setFaster] = useState<Faster<SiteSettings[Section]> | null>(null);
  // The last version that the user has seen, in the fields or as somebody else's changes.
  const [version, setVersion] = useState(startVersion);
  const save = useMutation({
    mutationFn: () => call("admin/settings/save", { ...written(), version } as Sent<"admin/settings/save">),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: settingsKey });
      then.saved();
    },
    onError: async (error) => {
      if (!(error instanceof ApiError)) return;
      then.refused(error.fields);
      if (error.status !== 409) return;
      const settings = await queries.fetchQuery({
        queryKey: settingsKey,
        queryFn: () => call("admin/settings", {}),
        staleTime: 0,
      });
      setFaster({ sentence: error.message, theirs: settings[section] });
    },
  });
  /** Continues from the version that is saved now. */
  const decide = () => {
    if (faster) setVersion(faster.theirs.version);
    setFaster(null);
    save.reset();
  };
  return { save, faster, decide };
}

/** What somebody else saved meanwhile, field by field. */
const Changes = ({ changes }: { changes: readonly TextChange[] }) => (
  <Box style={{ overflowWrap: "anywhere", maxHeight: "30vh", overflowY: "auto" }}>
    <List size="sm">
      {changes.map(({ field, before, after }) => (
        <List.Item key={field}>
          {field}: “{before}” is now “{after}”
        </List.Item>
      ))}
    </List>
  </Box>
);
