import { Alert, Button, FileInput, Group, List, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { contentLimits } from "../../../contract/content-limits.ts";
import type { StatementPreview } from "../../../contract/transfers.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { toast } from "../../toast.ts";
import { showRupees } from "../../components/display.ts";
import { asBase64 } from "../../forms/as-base64.ts";
import { refreshed } from "./refreshed.ts";

/** Takes in a bank statement: first it shows what it pays, and what is wrong in which line. */
export default function StatementDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Take in a bank statement" size="xl">
      {opened && <StatementForm onClose={onClose} />}
    </Dialog>
  );
}

const megabytes = contentLimits.csvBytesMax / 1024 / 1024;

function StatementForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const look = useMutation({
    mutationFn: async (chosen: File) => call("admin/transfers/preview", { file: await asBase64(chosen) }),
  });
  const put = useMutation({
    mutationFn: async (chosen: File) =>
      call("admin/transfers/import", { file: await asBase64(chosen), name: chosen.name.slice(-120) }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await Promise.all(refreshed.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onClose();
    },
  });
  const tooLarge = file !== null && file.size > contentLimits.csvBytesMax;
  const choose = (chosen: File | null) => {
    setFile(chosen);
    put.reset();
    look.reset();
    if (chosen && chosen.size <= contentLimits.csvBytesMax) look.mutate(chosen);
  };
  const error = put.error ?? look.error;
  return (
    <Stack gap="md">
      <FileInput
        label="CSV file"
        description={`From your bank, with the columns Date, Narration, UTR and Credit; ${megabytes} MB at most`}
        placeholder="Choose a file"
        accept=".csv,text/csv"
        clearable
        clearButtonProps={{ "aria-label": "Take the file out" }}
        value={file}
        onChange={choose}
        error={tooLarge && `This file has more than ${megabytes} MB. Please split it.`}
      />
      {error && (
        <Alert color="red" role="alert">
          {error.message}
        </Alert>
      )}
      {look.isPending && <Text role="status">Reading the file …</Text>}
      {look.data && <Preview preview={look.data} />}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={onClose} disabled={put.isPending}>
          Cancel
        </Button>
        <Button
          size="md"
          loading={put.isPending}
          disabled={!file || !look.data || look.data.errors > 0}
          onClick={() => file && put.mutate(file)}
        >
          Take in
        </Button>
      </Group>
    </Stack>
  );
}

function Preview({ preview }: { preview: StatementPreview }) {
  const { rows, skipped, known, matched, total, found, errors, wrong, note } = preview;
  return (
    <Stack gap="md" style={{ overflowWrap: "anywhere" }}>
      <Text role="status" fw={600}>
        {rows} {rows === 1 ? "transfer" : "transfers"}, {showRupees(total)} of them new: {matched} say what they pay,{" "}
        {known} are here already, {skipped} other rows are left out
      </Text>
      {note && <Alert variant="light">{note}</Alert>}
      {errors > 0 && (
        <Alert color="red" title={`${errors} ${errors === 1 ? "row is" : "rows are"} wrong`}>
          <Text fz="sm" mb="xs">
            Nothing can be taken in until the file is right.
          </Text>
          <Rows of={errors} lines={wrong.map(({ line, error }) => [line, `Line ${line}: ${error}`])} />
        </Alert>
      )}
      {found.length > 0 && (
        <Rows of={rows - known} lines={found.map(({ line, says }) => [line, `Line ${line}: ${says}`])} />
      )}
    </Stack>
  );
}

function Rows({ of, lines }: { of: number; lines: readonly (readonly [key: number, text: string])[] }) {
  return (
    <>
      <List size="sm" withPadding>
        {lines.map(([key, text]) => (
          <List.Item key={key}>{text}</List.Item>
        ))}
      </List>
      {lines.length < of && (
        <Text fz="sm" c="var(--site-muted)">
          and {of - lines.length} more
        </Text>
      )}
    </>
  );
}
