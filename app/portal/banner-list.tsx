import { Alert, Stack, Text } from "@mantine/core";
import { IconSpeakerphone } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";
import { toast } from "../toast.ts";
import { newsKey, useNews } from "./use-news.ts";

/** What an administrator tells all or some, above the screen, until each reader closes it or its time is over. */
export default function BannerList() {
  const { data } = useNews();
  const queries = useQueryClient();
  const close = useMutation({
    mutationFn: (id: string) => call("notices/dismiss", { id }),
    onError: (error) => toast.error("The announcement is still there.", { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: newsKey }),
  });
  return (
    <Stack gap="sm" mb="lg" component="section" aria-label="Announcements" className="screen-only">
      {data?.banners.map(({ id, title, text }) => (
        <Alert
          key={id}
          role="note"
          variant="light"
          icon={<IconSpeakerphone aria-hidden />}
          title={<bdi>{title}</bdi>}
          withCloseButton
          closeButtonLabel={`Close the announcement ${title}`}
          styles={{ closeButton: { minWidth: 44, minHeight: 44 }, title: { overflowWrap: "anywhere" } }}
          onClose={() => close.mutate(id)}
        >
          <Text style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            <bdi>{text}</bdi>
          </Text>
        </Alert>
      ))}
    </Stack>
  );
}
