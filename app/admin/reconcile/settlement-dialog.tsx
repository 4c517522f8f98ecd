import { Alert, Button, FileInput, Group, List, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { contentLimits } from "../../../contract/content-limits.ts";
import type { SettlementPreview } from "../../../contract/reconcile.ts";
import { call } from "../../api.ts";
import { Dialog } from "../../components/dialog.tsx";
import { Facts } from "../../components/panel-section.tsx";
import { toast } from "../../toast.ts";
import { asBase64 } from "../../forms/as-base64.ts";
import { showSums } from "./show-sums.ts";

/** Takes in a settlement file: first it shows what it comes to, what differs and what is wrong in which line. */
export default function SettlementDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Take in a settlement file" size="xl">
      {opened && <SettlementForm onClose={onClose} />}
    </Dialog>
  );
}

const megabytes = contentLimits.csvBytesMax / 1024 / 1024;

function SettlementForm({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const look = useMutation({
    mutationFn: async (chosen: File) => call("admin/reconcile/preview", { file: await asBase64(chosen) }),
  });
  const put = useMutation({
    mutationFn: async (chosen: File) =>
      call("admin/reconcile/import", { file: await asBase64(chosen), name: chosen.name.slice(-120) }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await Promise.all(
        ["admin/reconcile", "admin/reconcile/files"].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
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
        description={`As the gateway’s dashboard gives it; ${megabytes} MB at most`}
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

function Preview({ preview }: { preview: SettlementPreview }) {
  const { rows, known, matched, findings, found, errors, wrong, note, sums } = preview;
  return (
    <Stack gap="md" style={{ overflowWrap: "anywhere" }}>
      <Text role="status" fw={600}>
        {rows} {rows === 1 ? "row" : "rows"}: {matched} as in our books, {findings} differ, {known} taken in before
      </Text>
      {note && <Alert variant="light">{note}</Alert>}
      <Facts facts={showSums(sums)} />
      {errors > 0 && (
        <Alert color="red" title={`${errors} ${errors === 1 ? "row is" : "rows are"} wrong`}>
          <Text fz="sm" mb="xs">
            Nothing can be taken in until the file is right.
          </Text>
          <Rows of={errors} lines={wrong.map(({ line, error }) => [line, `Line ${line}: ${error}`])} />
        </Alert>
      )}
      {findings > 0 && (
        <Rows of={findings} lines={found.map(({ line, kind, says }, index) => [line ?? index, `${kind}: ${says}`])} />
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
