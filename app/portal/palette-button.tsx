import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useState } from "react";
import { openedLater } from "../components/later.tsx";
import classes from "./head-tools.module.css";

/** A screen that can be gone to. */
export interface Destination {
  to: string;
  label: string;
}

export interface PaletteProps {
  opened: boolean;
  screens: readonly Destination[];
  onClose: () => void;
}

const Palette = openedLater<PaletteProps>(() => import("./palette.tsx"), { opened: false });

/** Opens the command palette; Ctrl+K and Cmd+K do the same, unless a dialog is open, where something may be typed. */
export function PaletteButton({ screens }: { screens: readonly Destination[] }) {
  const [opened, setOpened] = useState(false);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isShortcut || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (!document.querySelector("[aria-modal='true']")) setOpened(true);
  });
  useEffect(() => {
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  return (
    <>
      <UnstyledButton
        className={classes.search ?? ""}
        aria-label="Search everything"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpened(true)}
      >
        <IconSearch size={20} stroke={1.7} aria-hidden />
        <span className={classes.hint} aria-hidden>
          Search
        </span>
      </UnstyledButton>
      <Palette opened={opened} screens={screens} onClose={() => setOpened(false)} />
    </>
  );
}
