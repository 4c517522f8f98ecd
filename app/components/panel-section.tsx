import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./panel-section.module.css";

/**
 * One titled part of a side panel or, with `level` 2, of a screen; `bare` where its content is a sheet of its own,
 * as tables are.
 */
export function PanelSection({
  title,
  hint,
  aside,
  level = 3,
  bare = false,
  children,
}: {
  title: string;
  hint?: string;
  aside?: ReactNode;
  level?: 2 | 3;
  bare?: boolean;
  children: ReactNode;
}) {
  return (
    <section aria-label={title} className={classes.section} data-bare={bare || undefined}>
      <Group justify="space-between" align="center" gap="sm" mb="md">
        <div className={classes.name}>
          <Title order={level} fz={18}>
            {title}
          </Title>
          {hint && (
            <Text c="var(--site-muted)" fz="sm" mt={2}>
              {hint}
            </Text>
          )}
        </div>
        {aside}
      </Group>
      {children}
    </section>
  );
}

/** What is known, each under its name; what is missing is shown as a dash. */
export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd dir="auto">{value || "–"}</dd>
        </div>
      ))}
    </dl>
  );
}
