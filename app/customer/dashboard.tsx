import { Card, Image, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { ListEmpty, ListFailed } from "../lists/list-state.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { ServiceBoard } from "../service-reports/service-board.tsx";

export const meta = () => [{ title: `Dashboard – ${brand.name}` }];

/** How the service is doing, and the organisation's dashboards. */
export default function CustomerDashboard() {
  return (
    <>
      <PageTitle title="Dashboard" hint="Your monitoring at a glance." />
      <Stack gap="xl">
        <ServiceBoard />
        <Tiles />
      </Stack>
    </>
  );
}

/** Each tile opens in a new tab. */
function Tiles() {
  const tiles = useQuery({
    queryKey: ["user/get-users-dashboard-url"],
    queryFn: ({ signal }) => call("user/get-users-dashboard-url", {}, signal),
  });
  // People typed the addresses: only valid https ones become links.
  const shown = tiles.data?.filter(({ url }) => URL.canParse(url) && new URL(url).protocol === "https:");
  return (
    <section aria-label="Dashboards">
      {tiles.isError && <ListFailed message={messages.dashboardFailed} onRetry={() => void tiles.refetch()} />}
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }} spacing="lg">
        {tiles.isPending && [1, 2].map((tile) => <Skeleton key={tile} h={260} radius="lg" />)}
        {shown?.map(({ url, image, message }) => (
          <Card
            key={`${url} ${message}`}
            component="a"
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            withBorder
            radius="lg"
            padding="lg"
          >
            <Card.Section>
              <Image src={image} alt="" w="100%" fit="cover" style={{ aspectRatio: "24 / 11" }} />
            </Card.Section>
            <Text fw={600} mt="md">
              {message}
            </Text>
            <Text fz="sm" c="var(--site-muted)">
              Opens in a new tab
            </Text>
          </Card>
        ))}
      </SimpleGrid>
      {shown?.length === 0 && (
        <ListEmpty message="No dashboards yet">
          <Text c="var(--site-muted)">
            When a subscription is paid, our team connects its log sources and then switches on its SIEM and SOAR
            dashboards. They will appear here.
          </Text>
        </ListEmpty>
      )}
    </section>
  );
}
