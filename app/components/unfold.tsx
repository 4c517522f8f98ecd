import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import classes from "./unfold.module.css";

/** The content of an expanded row, and the label of the button that expands it. */
export interface Unfolded {
  label: string;
  /** Names the row for screen readers that announce the button alone. */
  about: string;
  content: ReactNode;
}

/** Tracks which rows of a list are expanded. For each row it gives the button, and the content while expanded. */
export function useUnfold<Row extends { id: string }>(unfold: ((row: Row) => Unfolded | null) | undefined) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  return (row: Row): { button: ReactNode; content: ReactNode } => {
    const unfolded = unfold?.(row);
    if (!unfolded) return { button: null, content: null };
    const isOpen = opened.has(row.id);
    const toggle = () =>
      setOpened(isOpen ? new Set([...opened].filter((id) => id !== row.id)) : new Set([...opened, row.id]));
    return {
      button: (
        <UnstyledButton
          className={classes.button ?? ""}
          aria-label={`${unfolded.label} of ${unfolded.about}`}
          aria-expanded={isOpen}
          onClick={toggle}
        >
          {unfolded.label}
          <IconChevronDown size={15} aria-hidden />
        </UnstyledButton>
      ),
      content: isOpen && unfolded.content,
    };
  };
}
