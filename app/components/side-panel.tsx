import { Button, Drawer } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./side-panel.module.css";
import { useEscape } from "./use-escape.ts";

interface SidePanelProps {
  opened: boolean;
  title: string;
  /** Identifies what the panel is about, for example by e-mail: when it changes, the panel scrolls to its top. */
  subject: string;
  onClose: () => void;
  /** The way back to the previous subject within the panel. */
  back?: { label: string; onBack: () => void } | undefined;
  children: ReactNode;
}

/** A panel of full width that leaves the page's top visible. Escape, its button and a click on the top close it. */
export function SidePanel({ opened, title, subject, onClose, back, children }: SidePanelProps) {
  useEscape(opened, onClose);
  useFocusBack(opened);
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size="100%"
      padding={0}
      closeOnEscape={false}
      closeButtonProps={{ "aria-label": "Close" }}
      // A low window, such as one enlarged four times, needs that room.
      styles={{ inner: { top: `clamp(0px, 100dvh - 25rem, ${limits.sidePanelOffsetPixels}px)` } }}
      classNames={{
        inner: classes.inner ?? "",
        content: classes.content ?? "",
        header: classes.header ?? "",
        title: classes.title ?? "",
        close: classes.close ?? "",
        body: classes.body ?? "",
      }}
    >
      <Subject subject={subject}>
        {back && (
          <Button
            variant="subtle"
            mb="md"
            ms={-12}
            mih={44}
            leftSection={<IconArrowLeft size={18} aria-hidden />}
            onClick={back.onBack}
          >
            {back.label}
          </Button>
        )}
        {children}
      </Subject>
    </Drawer>
  );
}

/** Leaves this long to the drawer, which may return the focus itself. */
const patienceMs = 20;

/**
 * Returns the focus to the element that opened the panel. If the address opens the panel, the drawer itself looks for
 * that element too late: by then the focus is inside the drawer.
 */
function useFocusBack(opened: boolean): void {
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (opened) {
      opener.current = document.activeElement;
      return undefined;
    }
    const timer = setTimeout(() => {
      if (document.activeElement === document.body && opener.current instanceof HTMLElement)
        opener.current.focus({ preventScroll: true });
      opener.current = null;
    }, patienceMs);
    return () => clearTimeout(timer);
  }, [opened]);
}

/** Moves the focus when the subject changes: the button that led there is gone. */
function Subject({ subject, children }: { subject: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef(subject);
  useEffect(() => {
    if (shown.current === subject) return;
    shown.current = subject;
    place.current?.focus({ preventScroll: true });
    place.current?.scrollIntoView({ block: "start" });
  }, [subject]);
  return (
    <div ref={place} tabIndex={-1} className={classes.subject}>
      <Fragment key={subject}>{children}</Fragment>
    </div>
  );
}
