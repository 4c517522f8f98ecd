import { Button, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { toast } from "../toast.ts";
import { asBase64 } from "./as-base64.ts";
import { CsvInput, fits } from "./csv-input.tsx";
import { Refusal } from "../components/refusal.tsx";

/** Imports a CSV file as a whole, after a preview of what it would do; any invalid row blocks the import. */
export function TakeInCsv<Preview extends { errors: number }>({
  origin,
  preview,
  takeIn,
  refresh,
  show,
  onClose,
}: {
  /** Where the file comes from, or what it holds. */
  origin: string;
  preview: (sent: { file: string }) => Promise<Preview>;
  takeIn: (sent: { file: string; name: string }) => Promise<{ message: string }>;
  /** The query keys whose data the import affects. */
  refresh: readonly string[];
  show: (preview: Preview) => ReactNode;
  onClose: () => void;
}) {
  const queries = useQueryClient();
  const [file, setFile] = useState<File | null>(null);
  const look = useMutation({ mutationFn: async (chosen: File) => preview({ file: await asBase64(chosen) }) });
  const put = useMutation({
    mutationFn: async (chosen: File) => takeIn({ file: await asBase64(chosen), name: chosen.name.slice(-120) }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await Promise.all(refresh.map((name) => queries.invalidateQueries({ queryKey: [name] })));
      onClose();
    },
  });
  const choose = (chosen: File | null) => {
    setFile(chosen);
    put.reset();
    look.reset();
    if (chosen && fits(chosen)) look.mutate(chosen);
  };
  const error = put.error ?? look.error;
  return (
    <Stack gap="md">
      <CsvInput origin={origin} file={file} onChange={choose} />
      {error && <Refusal>{error.message}</Refusal>}
      {look.isPending && <Text role="status">Reading the file …</Text>}
      {look.data && show(look.data)}
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
          Import
        </Button>
      </Group>
    </Stack>
  );
}
