import { Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./panel-section.module.css";

/**
 * A titled section of a side panel or, with `level` 2, of a screen; `bare` if its content, such as a table, has a
 * surface of its own.
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

/** Facts with their labels; a missing value is a dash. */
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
