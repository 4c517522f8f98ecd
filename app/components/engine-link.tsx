import { Anchor } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { ReactNode } from "react";

/** A link to a record's page in its engine, in a new tab; only the text if no page is known. */
export function EngineLink({ to, about, children }: { to: string | null; about?: string; children: ReactNode }) {
  if (to === null) return children;
  return (
    <Anchor href={to} target="_blank" rel="noopener noreferrer" fz="inherit" style={{ textDecoration: "underline" }}>
      {about && <span className="visually-hidden">{about} in </span>}
      {children} <IconExternalLink size={14} aria-label="opens in a new tab" style={{ verticalAlign: -2 }} />
    </Anchor>
  );
}
