import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import type { SystemPart } from "../../contract/system.ts";
import { ApiError, call } from "../api.ts";
import { showTime } from "../components/display.ts";
import { PageTitle } from "../components/page-title.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { FailedJobs, JobQueues } from "./system/jobs.tsx";

export const meta = () => [{ title: `System – ${brand.name}` }];

const readAgainMs = 30_000;

/** How the product runs, in plain words, and what to do when something is wrong. */
export default function SystemScreen() {
  const system = useQuery({
    queryKey: ["admin/system"],
    queryFn: ({ signal }) => call("admin/system", {}, signal),
    refetchInterval: readAgainMs,
  });
  return (
    <>
      <PageTitle title="System" hint="How the product runs, and what to do where something is wrong.">
        <Group gap="sm">
          {system.data && (
            <Text fz="sm" c="var(--site-muted)" className="tabular">
              Read {showTime(system.data.read_at)}
            </Text>
          )}
          <Button variant="default" loading={system.isFetching} onClick={() => void system.refetch()}>
            Read again
          </Button>
        </Group>
      </PageTitle>
      {system.isPending && <ListLoading rows={6} />}
      {system.isError && <ListFailed message={failureOf(system.error)} onRetry={() => void system.refetch()} />}
      {system.data && (
        <Stack gap="xl" mt={system.isError ? "xl" : undefined}>
          <SimpleGrid cols={{ base: 1, sm: 2, xl: 3 }} spacing="xl" verticalSpacing="xl">
            {system.data.parts.map((part) => (
              <Part key={part.name} part={part} />
            ))}
          </SimpleGrid>
          <JobQueues queues={system.data.queues} />
          <FailedJobs jobs={system.data.failed_jobs} />
        </Stack>
      )}
    </>
  );
}

function failureOf(error: Error): string {
  if (!(error instanceof ApiError)) return messages.fetchFailed;
  if (error.status === 403) return messages.unauthorised;
  if (error.status !== 503) return messages.fetchFailed;
  return "Nothing could be loaded: most likely the database does not answer. Check its log and the log of the product.";
}

const titles: Record<SystemPart["name"], string> = {
  product: "Product",
  database: "Database",
  jobs: "Jobs",
  files: "Documents",
  mail: "Mail",
  backup: "Backup",
};
const badges = {
  good: <StateBadge tone="good">Good</StateBadge>,
  warning: <StateBadge tone="warning">Needs a look</StateBadge>,
  bad: <StateBadge tone="bad">Down</StateBadge>,
};

function Part({ part: { name, state, says, remedy, facts } }: { part: SystemPart }) {
  return (
    <PanelSection title={titles[name]} level={2} aside={badges[state]}>
      <Stack gap="md">
        <Text style={{ overflowWrap: "anywhere" }}>{says}</Text>
        {remedy && (
          <Text style={{ overflowWrap: "anywhere" }}>
            <strong>What to do:</strong> {remedy}
          </Text>
        )}
        {facts.length > 0 && (
          <Facts
            facts={facts.map((fact) => [fact.name, fact.isInstant ? showTime(fact.value) : fact.value] as const)}
          />
        )}
      </Stack>
    </PanelSection>
  );
}
