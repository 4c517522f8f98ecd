import { Alert, Button, Group, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { type KeyboardEvent, useEffect, useEffectEvent, useId, useState } from "react";
import { useNavigate } from "react-router";
import { Dialog } from "../components/dialog.tsx";
import { limits } from "../../contract/limits.ts";
import { PaletteOptions } from "./palette-options.tsx";
import type { PaletteProps } from "./palette-button.tsx";
import { type Line, linesOf } from "./palette-lines.ts";
import classes from "./palette.module.css";
import { readRecent, rememberOpened } from "./recently-opened.ts";
import { mustStay } from "./stay-offline.ts";
import { useFind } from "./use-find.ts";

// Reopened at once, it starts afresh.
const goneAtOnce = { exitDuration: 0 };

/** Finds screens and records by a few letters or a number, and opens them; made for the keyboard first. */
export default function Palette({ opened, onClose, ...finder }: PaletteProps) {
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Search everything"
      size="lg"
      yOffset="8vh"
      transitionProps={goneAtOnce}
      data-palette
    >
      {opened && <Finder {...finder} onClose={onClose} />}
    </Dialog>
  );
}

function Finder({ screens, takeEarlyKeys, onClose }: Omit<PaletteProps, "opened">) {
  const [typed, setTyped] = useState("");
  const [recent] = useState(readRecent);
  const { found, isCurrent, isError, retry } = useFind(typed);
  const groups = linesOf({ typed, screens, recent, found });
  const lines = groups.flatMap((group) => group.lines);
  const [chosen, setChosen] = useState("");
  const active = lines.find(({ key }) => key === chosen) ?? lines[0];
  const { open, openWhenThere } = useOpening(isCurrent, isError, active, onClose);
  const id = useId();
  const optionId = (key: string) => `${id}-${key}`;
  useEffect(() => {
    if (active) document.getElementById(optionId(active.key))?.scrollIntoView({ block: "nearest" });
  });
  const press = (event: KeyboardEvent) => {
    // An input method uses the same keys to choose among its words.
    if (event.nativeEvent.isComposing) return;
    const next = nextOf(lines, active, event.key);
    if (next) setChosen(next.key);
    else if (event.key === "Enter") openWhenThere();
    else return;
    event.preventDefault();
  };
  return (
    <>
      <TextInput
        data-autofocus
        role="combobox"
        aria-label="Screen, name, organization, e-mail or number"
        placeholder="Screen, name, e-mail or number"
        aria-expanded={lines.length > 0}
        aria-controls={`${id}-found`}
        aria-autocomplete="list"
        aria-activedescendant={active ? optionId(active.key) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.searchLengthMax}
        leftSection={<IconSearch size={18} aria-hidden />}
        // Keeps the focus ring visible below the dialog's header.
        pt={4}
        value={typed}
        onFocus={() => {
          const early = takeEarlyKeys();
          setTyped(early.replaceAll("\n", "") + typed);
          if (early.includes("\n")) openWhenThere();
        }}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setChosen("");
        }}
        onKeyDown={press}
      />
      <p role="status" className={classes.status}>
        {tell(typed, lines.length, isCurrent, isError)}
        <span className={classes.keys}> Arrow keys choose, Enter opens.</span>
      </p>
      {isError && (
        <Alert color="red" role="alert" mb="sm">
          <Group justify="space-between">
            The records could not be searched.
            <Button variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        </Alert>
      )}
      <PaletteOptions
        id={`${id}-found`}
        groups={groups}
        active={active?.key ?? ""}
        optionId={optionId}
        onChoose={setChosen}
        onOpen={open}
      />
    </>
  );
}

/** Opens a line; if the results for what is typed have not arrived yet, it waits for them. */
function useOpening(isCurrent: boolean, isError: boolean, active: Line | undefined, onClose: () => void) {
  const navigate = useNavigate();
  const [isWanted, setIsWanted] = useState(false);
  const open = (line: Line) => {
    if (mustStay()) return;
    rememberOpened(line);
    onClose();
    void navigate(line.path);
  };
  const settle = useEffectEvent(() => {
    setIsWanted(false);
    if (active && !isError) open(active);
  });
  useEffect(() => {
    if (isWanted && isCurrent) settle();
  }, [isWanted, isCurrent]);
  return { open, openWhenThere: () => setIsWanted(true) };
}

function nextOf(lines: readonly Line[], active: Line | undefined, key: string): Line | undefined {
  const at = active ? lines.indexOf(active) : -1;
  if (key === "ArrowDown") return lines[(at + 1) % lines.length];
  if (key === "ArrowUp") return lines.at(at <= 0 ? -1 : at - 1);
  return undefined;
}

function tell(typed: string, count: number, isCurrent: boolean, isError: boolean): string {
  if (!isCurrent) return "Looking …";
  if (typed.trim() === "") return "Type a name, an e-mail or a number such as Q-000026.";
  if (count === 0) return isError ? "" : `Nothing found for “${typed.trim()}”. Try fewer letters, or a number.`;
  return `${count} found.`;
}
