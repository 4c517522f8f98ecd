import { UnstyledButton } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import { openedLater } from "../components/later.tsx";
import classes from "./head-tools.module.css";
import { useNews } from "./use-news.ts";

const BellPanel = openedLater<{ opened: boolean; onClose: () => void }>(() => import("./bell-panel.tsx"), {
  opened: false,
});

/** A button with the number of unread notices, which opens the latest. */
export function Bell() {
  const [opened, setOpened] = useState(false);
  const unread = useNews().data?.unread ?? 0;
  const shown = unread > limits.unreadShownMax ? `${limits.unreadShownMax}+` : String(unread);
  return (
    <>
      <UnstyledButton
        className={classes.bell ?? ""}
        aria-label={unread > 0 ? `Notices, ${shown} unread` : "Notices"}
        aria-haspopup="dialog"
        onClick={() => setOpened(true)}
      >
        <IconBell size={22} stroke={1.7} aria-hidden />
        {unread > 0 && (
          <span className={classes.count} aria-hidden>
            {shown}
          </span>
        )}
      </UnstyledButton>
      <BellPanel opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
