import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal } from "../../components/refusal.tsx";
import type { ImportPreview } from "../../../contract/log-sources.ts";
import { ApiError, call } from "../../api.ts";
import { toast } from "../../toast.ts";
import { asBase64 } from "../../forms/as-base64.ts";
import { CsvInput, fits } from "../../forms/csv-input.tsx";
import { PreviewOfImport } from "./preview-of-import.tsx";

/** Imports a CSV file, after a preview of what would change and of the errors by line. */
export default function ImportDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Import log sources" size="xl">
      {opened && <ImportForm onClose={onClose} />}
    </Dialog>
  );
}

function ImportForm({ onClose }: { onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null);
  const [retireOthers, setRetireOthers] = useState(false);
  const { look, put } = useImport(onClose);
  const preview = look.data;
  const show = (chosen: File | null, retire: boolean) => {
    setFile(chosen);
    setRetireOthers(retire);
    put.reset();
    look.reset();
    if (chosen && fits(chosen)) look.mutate({ file: chosen, retireOthers: retire });
  };
  const overtaken = put.error instanceof ApiError && put.error.status === 409;
  const nothing = preview && preview.counts.added + preview.counts.changed + preview.counts.retired === 0;
  return (
    <Stack gap="md">
      <CsvInput
        origin="With the columns Product, Category, Label and Format, as the export writes them"
        file={file}
        onChange={(chosen) => show(chosen, retireOthers)}
      />
      <Checkbox
        label="Retire log sources that the file does not name"
        checked={retireOthers}
        onChange={({ currentTarget }) => show(file, currentTarget.checked)}
      />
      {(look.error || put.error) && <Refusal>{(put.error ?? look.error)?.message}</Refusal>}
      {look.isPending && <Text role="status">Reading the file …</Text>}
      {preview && <PreviewOfImport preview={preview} />}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={put.isPending}>
          Cancel
        </Button>
        {overtaken ? (
          <Button size="md" onClick={() => show(file, retireOthers)}>
            Show the new preview
          </Button>
        ) : (
          <Button
            size="md"
            loading={put.isPending}
            disabled={!file || !preview || preview.counts.errors > 0 || nothing === true}
            onClick={() => file && preview && put.mutate({ file, retireOthers, version: preview.version })}
          >
            Import
          </Button>
        )}
      </Group>
    </Stack>
  );
}

function useImport(onClose: () => void) {
  const queries = useQueryClient();
  const look = useMutation({
    mutationFn: async ({ file, retireOthers }: { file: File; retireOthers: boolean }): Promise<ImportPreview> =>
      call("admin/log-sources/preview", { file: await asBase64(file), retireOthers }),
  });
  const put = useMutation({
    mutationFn: async ({ file, ...asked }: { file: File; retireOthers: boolean; version: number }) =>
      call("admin/log-sources/import", { file: await asBase64(file), ...asked }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await queries.invalidateQueries({ queryKey: ["admin/log-sources"] });
      onClose();
    },
  });
  return { look, put };
}
