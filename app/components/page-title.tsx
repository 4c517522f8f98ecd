import { Box, Group, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** The heading of a screen, with its actions beside it. */
export function PageTitle({ title, hint, children }: { title: string; hint?: string; children?: ReactNode }) {
  return (
    <Group justify="space-between" align="flex-end" mb="lg" gap="md">
      <Box>
        <Title order={1} fz={{ base: 24, sm: 28 }} lts={-0.4}>
          {title}
        </Title>
        {hint && (
          <Text c="var(--site-muted)" mt={4}>
            {hint}
          </Text>
        )}
      </Box>
      {children && <Box className="screen-only">{children}</Box>}
    </Group>
  );
}
