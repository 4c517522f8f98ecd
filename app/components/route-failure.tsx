import { Button, Container, Stack, Text, Title } from "@mantine/core";
import { Link } from "react-router";
import { messages } from "../../contract/messages.ts";

/** What is shown where no page is, or where one failed. `detail` is what the router or the error says. */
export function RouteFailure({ detail }: { detail: unknown }) {
  return (
    <Container size="sm" py={{ base: 64, sm: 120 }} component="main" id="main">
      <Stack align="flex-start" gap="md">
        <Title order={1}>{messages.pageNotFound}</Title>
        <Text c="var(--site-muted)">
          {messages.errorIs}
          {typeof detail === "string" && detail ? detail : messages.unknownError}
        </Text>
        <Button component={Link} to="/" size="md">
          Back to the home page
        </Button>
      </Stack>
    </Container>
  );
}
