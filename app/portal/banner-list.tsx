import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconSpeakerphone } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { call } from "../api.ts";
import { toast } from "../toast.ts";
import { bannerRoomKey } from "../session.ts";
import { newsKey, useNews } from "./use-news.ts";

/** An administrator's announcements above the screen, until the reader closes each or its time is over. */
export default function BannerList() {
  const { data } = useNews();
  const queries = useQueryClient();
  const close = useMutation({
    mutationFn: (id: string) => call("notices/dismiss", { id }),
    onError: (error) => toast.error("The announcement is still there.", { description: error.message }),
    onSettled: () => queries.invalidateQueries({ queryKey: newsKey }),
  });
  const shown = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const list = shown.current;
    if (!list) return undefined;
    const look = new ResizeObserver(() => keepBannerRoom(list.offsetHeight));
    look.observe(list);
    return () => look.disconnect();
  }, []);
  return (
    <Stack ref={shown} gap="sm" pb="lg" component="section" aria-label="Announcements" className="screen-only">
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
          <Announced text={text} />
        </Alert>
      ))}
    </Stack>
  );
}

const linesAtFirst = 3;

/** Shows the beginning of a long text: readers came for the screen below. */
function Announced({ text }: { text: string }) {
  const shown = useRef<HTMLParagraphElement>(null);
  const [isCut, setIsCut] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(() => {
    if (!shown.current) return undefined;
    const look = new ResizeObserver(([entry]) => {
      const paragraph = entry?.target;
      if (paragraph) setIsCut((before) => before || paragraph.scrollHeight > paragraph.clientHeight + 1);
    });
    look.observe(shown.current);
    return () => look.disconnect();
  }, []);
  return (
    <>
      <Text
        ref={shown}
        style={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}
        {...(!isOpen && { lineClamp: linesAtFirst })}
      >
        <bdi>{text}</bdi>
      </Text>
      {isCut && (
        <Button variant="transparent" px={0} mih={44} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Show less" : "Show all"}
        </Button>
      )}
    </>
  );
}

/** Remembers the banners' height for this window width. */
const keepBannerRoom = (height: number) => localStorage.setItem(bannerRoomKey, `${innerWidth} ${height}`);
