import { Anchor, Box, Container, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { Logo } from "./logo.tsx";
import { siteLinks } from "./site-links.ts";

export function SiteFooter() {
  return (
    <Box
      component="footer"
      mt={96}
      py={48}
      bg="var(--site-surface)"
      style={{ borderBlockStart: "1px solid var(--site-border)" }}
    >
      <Container size="lg">
        <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xl">
          <Stack gap="xs" align="flex-start">
            <Logo />
            <Text fz="sm" c="var(--site-muted)" maw={300}>
              A security operations centre by subscription, priced by the devices it watches.
            </Text>
          </Stack>
          <Stack gap={6} component="nav" aria-label="Footer" align="flex-start">
            {[...siteLinks, { to: "/login", label: "Login" }].map(({ to, label }) => (
              <Anchor key={to} component={Link} to={to} fz="sm" c="var(--site-muted)" py={3}>
                {label}
              </Anchor>
            ))}
          </Stack>
          <Stack gap={4}>
            <Text fz="sm" fw={600}>
              {brand.legalName}
            </Text>
            <Text fz="sm" c="var(--site-muted)">
              {brand.address}
            </Text>
            <Group gap="md">
              <Anchor href={`mailto:${brand.emails.sales}`} fz="sm">
                {brand.emails.sales}
              </Anchor>
              <Text fz="sm" c="var(--site-muted)">
                {brand.phones[0]}
              </Text>
            </Group>
          </Stack>
        </SimpleGrid>
        {brand.isSample && (
          <Text fz="xs" c="var(--site-muted)" mt="xl">
            Sample company: the name, numbers and addresses on this site are for demonstration.
          </Text>
        )}
      </Container>
    </Box>
  );
}
