import { UnstyledButton } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import classes from "./unfold.module.css";

/** What a row says once it is opened, and the name of the button that opens it. */
export interface Unfolded {
  label: string;
  /** Which row it is of, for who hears the button alone. */
  about: string;
  content: ReactNode;
}

/** Keeps which rows of a list are open. Answers for a row its button, and its content while it is open. */
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
