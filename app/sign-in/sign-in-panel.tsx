import { Box, Container, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** The one panel of every sign-in screen. */
export function SignInPanel({ title, hint, children }: { title: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <Container component="main" id="main" size={520} py={{ base: 32, sm: 72 }}>
      <Paper
        withBorder
        radius="lg"
        p={{ base: "lg", sm: 40 }}
        bg="var(--site-surface)"
        style={{ boxShadow: "var(--site-shadow)" }}
      >
        <Stack gap="lg">
          <Box>
            <Title order={1} fz={28} lts={-0.4}>
              {title}
            </Title>
            {hint && (
              <Text c="var(--site-muted)" mt={6} style={{ overflowWrap: "anywhere" }}>
                {hint}
              </Text>
            )}
          </Box>
          {children}
        </Stack>
      </Paper>
    </Container>
  );
}
