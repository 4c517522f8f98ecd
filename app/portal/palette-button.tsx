import { UnstyledButton } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { openedLater } from "../components/later.tsx";
import classes from "./head-tools.module.css";

/** A screen that the palette can open. */
export interface Destination {
  to: string;
  label: string;
}

export interface PaletteProps {
  opened: boolean;
  screens: readonly Destination[];
  /** Returns once what was typed before the field existed; Enter is a line break in it. */
  takeEarlyKeys: () => string;
  onClose: () => void;
}

const loadPalette = () => import("./palette.tsx");
const Palette = openedLater<PaletteProps>(loadPalette, { opened: false });
// Loads the palette before it is opened. A failure is told only when it is opened.
const warmUp = () => void loadPalette().catch(() => undefined);

/** A button that opens the command palette; so do Ctrl+K and Cmd+K, unless a dialog is open, which may hold input. */
export function PaletteButton({ screens }: { screens: readonly Destination[] }) {
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  const takeEarlyKeys = useEarlyKeys(opened, close);
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!isShortcut || event.key.toLowerCase() !== "k") return;
    event.preventDefault();
    if (!document.querySelector("[aria-modal='true']:not([data-palette] *)")) setOpened(true);
  });
  // A layout effect, so that the shortcut works as soon as the button is visible.
  useLayoutEffect(() => {
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
        onPointerEnter={warmUp}
        onFocus={warmUp}
        onClick={() => setOpened(true)}
      >
        <IconSearch size={20} stroke={1.7} aria-hidden />
        <span className={classes.hint} aria-hidden>
          Search
        </span>
      </UnstyledButton>
      <Palette opened={opened} screens={screens} takeEarlyKeys={takeEarlyKeys} onClose={close} />
    </>
  );
}

/**
 * Keeps what is typed between the palette's opening and the moment when its field has the focus, as its script may
 * still be loading. Escape closes it in that time too.
 */
function useEarlyKeys(opened: boolean, close: () => void): () => string {
  const early = useRef<string | null>(null);
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (early.current === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest("[aria-modal='true']")) return;
    if (event.key === "Escape") close();
    else if (event.key === "Backspace") early.current = early.current.slice(0, -1);
    else if (event.key === "Enter") early.current += "\n";
    else if (event.key.length === 1) early.current += event.key;
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  useEffect(() => {
    if (!opened) return undefined;
    early.current = "";
    addEventListener("keydown", press, { capture: true });
    return () => {
      early.current = null;
      removeEventListener("keydown", press, { capture: true });
    };
  }, [opened]);
  return () => {
    const keys = early.current ?? "";
    early.current = null;
    return keys;
  };
}
