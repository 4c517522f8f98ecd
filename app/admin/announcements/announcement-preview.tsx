import { Alert, Stack, Text, Title } from "@mantine/core";
import { IconSpeakerphone } from "@tabler/icons-react";
import type { AnnouncementPreview as Reached, NewAnnouncement } from "../../../contract/announcements.ts";
import { formatCount } from "../../../contract/format-count.ts";

/** The banner as it will look, how many people it reaches today, and its e-mail. */
export function AnnouncementPreview({
  said,
  reached: { people, mailed, mail },
  isShown,
}: {
  said: NewAnnouncement;
  reached: Reached;
  isShown: boolean;
}) {
  const count = (number: number) =>
    number >= 10_000 ? "10,000 people or more" : `${formatCount(number)} ${number === 1 ? "person" : "people"}`;
  return (
    <Stack component="section" aria-label="Preview" gap="sm">
      <Title order={3} fz="md">
        Preview
      </Title>
      <Alert role="note" variant="light" icon={<IconSpeakerphone aria-hidden />} title={<bdi>{said.title}</bdi>}>
        <Text style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
          <bdi>{said.text}</bdi>
        </Text>
      </Alert>
      <Text role="status">
        It reaches {count(people)} as of now{mail && !isShown ? `, ${count(mailed)} of them by mail too` : ""}.
      </Text>
      {mail && !isShown && (
        <details>
          <summary style={{ minHeight: 44, alignContent: "center", cursor: "pointer" }}>The mail</summary>
          <Text fw={600}>{mail.subject}</Text>
          <Text fz="sm" style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            {mail.text}
          </Text>
        </details>
      )}
    </Stack>
  );
}
