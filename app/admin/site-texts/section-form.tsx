import { Alert, Box, Button, Group, List, Stack, Text } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useEffect, useState } from "react";
import type { Sent } from "../../../contract/operations.ts";
import type { SiteSection } from "../../../contract/shown-texts.ts";
import { type SiteSettings, siteSections, type TextChange } from "../../../contract/site-texts.ts";
import { changesBetween } from "../../../contract/text-changes.ts";
import { ApiError, call } from "../../api.ts";
import { fieldErrors } from "../../forms/form-errors.ts";
import { toast } from "../../toast.ts";
import { PagePreview } from "./page-preview.tsx";
import { settingsKey } from "./settings-key.ts";

/** How a section is typed: its content as a form has it, and back. */
export interface SectionEditor<Content, Typed> {
  typedOf(content: Content): Typed;
  contentOf(typed: Typed): object;
  /** The field that shows what is wrong at this place of the content. */
  fieldOf?(place: string): string;
  Fields: ComponentType<{ form: UseFormReturnType<Typed> }>;
}

/** What the server said when somebody else was faster: the version of theirs, and what it changed. */
interface Overtaken {
  sentence: string;
  version: number;
  theirs: TextChange[];
}

/** Types, previews and saves a section. Nobody who is overtaken loses anything: they see what the other did, and decide. */
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
  // As it was when the typing began, whatever is fetched meanwhile.
  const [start] = useState(held);
  const placed = (errors: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(errors).map(([place, error]) => [
        (editor.fieldOf ?? String)(place.replace(/^content\./, "")),
        error,
      ]),
    );
  const form = useForm<Typed>({
    initialValues: editor.typedOf(start.content),
    validate: (typed) => placed(fieldErrors(siteSections[section])(editor.contentOf(typed))),
  });
  const dirty = form.isDirty();
  useEffect(() => onDirty(dirty), [onDirty, dirty]);
  const written = () => ({ section, content: editor.contentOf(form.getValues()) });
  const preview = useMutation({
    mutationFn: () => call("admin/settings/preview", written() as Sent<"admin/settings/preview">),
  });
  const { save, overtaken } = useSave(section, start, written, {
    refused: (fields) => form.setErrors(placed(fields)),
    saved: () => {
      onDirty(false);
      onClose();
    },
  });
  const problem = preview.error ?? (overtaken ? null : save.error);
  return (
    <form noValidate onSubmit={form.onSubmit(() => save.mutate())}>
      <Stack gap="lg" maw={1100} mx="auto" pb="xl">
        {preview.data ? (
          <PagePreview {...preview.data} onBack={preview.reset} />
        ) : (
          <Stack gap="md" maw={820}>
            <editor.Fields form={form} />
          </Stack>
        )}
        {overtaken && <Theirs overtaken={overtaken} />}
        <Problems failed={problem} wrong={Object.values(form.errors)[0]} />
        <Group justify="flex-end">
          <Button variant="default" size="md" onClick={onClose} disabled={save.isPending}>
            Cancel
          </Button>
          {!preview.data && section !== "seller" && (
            <Button
              variant="default"
              size="md"
              loading={preview.isPending}
              onClick={() => !form.validate().hasErrors && preview.mutate()}
            >
              Preview
            </Button>
          )}
          <Button type="submit" size="md" loading={save.isPending} disabled={!dirty}>
            {overtaken ? "Save mine over theirs" : "Save"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Problems({ failed, wrong }: { failed: Error | null; wrong: ReactNode }) {
  return (
    <>
      {failed && (
        <Alert color="red" role="alert">
          {failed.message}
        </Alert>
      )}
      {wrong && (
        <Alert color="red" role="alert">
          Some fields are not right: {wrong}
        </Alert>
      )}
    </>
  );
}

function useSave(
  section: SiteSection,
  start: { content: object; version: number },
  written: () => object,
  then: { refused: (fields: Record<string, string>) => void; saved: () => void },
) {
  const queries = useQueryClient();
  const [overtaken, setOvertaken] = useState<Overtaken | null>(null);
  const save = useMutation({
    mutationFn: () =>
      call("admin/settings/save", {
        ...written(),
        version: overtaken?.version ?? start.version,
      } as Sent<"admin/settings/save">),
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
      const { version, content } = settings[section];
      setOvertaken({ sentence: error.message, version, theirs: changesBetween(start.content, content) });
    },
  });
  return { save, overtaken };
}

function Theirs({ overtaken: { sentence, theirs } }: { overtaken: Overtaken }) {
  return (
    <Alert color="orange" variant="light" role="alert">
      <Text mb="xs">{sentence}</Text>
      <Box style={{ overflowWrap: "anywhere" }}>
        <List size="sm">
          {theirs.map(({ field, before, after }) => (
            <List.Item key={field}>
              {field}: “{before}” is now “{after}”
            </List.Item>
          ))}
        </List>
      </Box>
    </Alert>
  );
}
