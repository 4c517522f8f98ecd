import { Button, Group, Text } from "@mantine/core";
import { IconPaperclip } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { formatCount } from "../../contract/format-count.ts";
import type { IncidentRoom } from "../../contract/incidents.ts";
import { limits } from "../../contract/limits.ts";
import { call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { asBase64 } from "../forms/as-base64.ts";
import { ChooseFile } from "../forms/choose-file.tsx";
import { useSentId } from "../forms/use-sent-id.ts";
import { toast } from "../toast.ts";
import type { Reader } from "./incident-words.tsx";
import classes from "./incidents.module.css";
import { refreshIncidents } from "./write-form.tsx";

const megabytes = limits.incidentFileBytesMax / 1024 ** 2;

/** The attached files; partners read them, customers and our team add to them. */
export function IncidentFiles({ room: { id, files }, reader }: { room: IncidentRoom; reader: Reader }) {
  const queries = useQueryClient();
  const sentId = useSentId();
  const attaching = useMutation({
    mutationFn: async (file: File) => {
      if (file.size > limits.incidentFileBytesMax) throw new Error(`Please choose a file of at most ${megabytes} MB.`);
      const name = reader === "admin" ? "admin/incidents/attach" : "user/incidents/attach";
      const file_id = sentId.idOf([file.name, file.size, file.lastModified]);
      const sent = { id, file_id, name: file.name.replaceAll("|", "-").slice(-120) };
      return call(name, { ...sent, file: await asBase64(file) });
    },
    onSuccess: ({ message }) => {
      toast.success(message);
      sentId.forget();
    },
    onError: (error) => toast.error("It could not be attached.", { description: error.message }),
    onSettled: () => refreshIncidents(queries),
  });
  const open = useMutation({
    mutationFn: async (file_id: string) => {
      const { signedUrl } = await call(`${reader}/incidents/file`, { id, file_id });
      location.assign(signedUrl);
    },
    onError: (error) => toast.error("It could not be opened.", { description: error.message }),
  });
  const attach = reader !== "partner" && (
    <ChooseFile onChoose={(file) => attaching.mutate(file)}>
      {(props) => (
        <Button
          {...props}
          variant="default"
          size="md"
          leftSection={<IconPaperclip size={18} aria-hidden />}
          loading={attaching.isPending}
        >
          Attach a file
        </Button>
      )}
    </ChooseFile>
  );
  return (
    <PanelSection
      level={2}
      title="Files"
      hint={`PDF, PNG, JPEG, ZIP or text, ${megabytes}\u00a0MB at most.`}
      aside={attach}
    >
      {files.length === 0 && <Text c="var(--site-muted)">Nothing is attached.</Text>}
      <ul className={classes.timeline} aria-label="Files">
        {files.map((file) => (
          <li key={file.id}>
            <Group justify="space-between" gap="xs" wrap="nowrap">
              <div>
                <Text fz="inherit" fw={600}>
                  <bdi>{file.name}</bdi>
                </Text>
                <div className={classes.muted}>
                  {formatCount(Math.ceil(file.bytes / 1024))} kB, {file.person ?? "somebody"},{" "}
                  {showTime(file.attached_at)}
                </div>
              </div>
              <Button
                variant="default"
                aria-label={`Open ${file.name}, ${file.id.slice(-4)}`}
                onClick={() => open.mutate(file.id)}
              >
                Open
              </Button>
            </Group>
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}
