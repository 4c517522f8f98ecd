import { Button, Drawer } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { Fragment, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { limits } from "../../contract/limits.ts";
import classes from "./side-panel.module.css";
import { useEscape } from "./use-escape.ts";

interface SidePanelProps {
  opened: boolean;
  title: string;
  /** What it is about, for example an e-mail: when this changes, reading starts again at the top. */
  subject: string;
  onClose: () => void;
  /** Where the reader came from inside the panel. */
  back?: { label: string; onBack: () => void } | undefined;
  children: ReactNode;
}

/** A panel over the whole width that leaves the top of the page in sight. Escape, its button and the page above close it. */
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
      styles={{ inner: { top: limits.sidePanelOffsetPixels } }}
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

/** So long is left to the drawer, which may give the focus back itself. */
const patienceMs = 20;

/**
 * The focus goes back to what opened the panel. Where the panel follows the address, the drawer looks too late for it: it has
 * the focus itself by then.
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

/** Going deeper or back takes the focus along: the button that led there is gone. */
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
