import { Button, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { formatCount } from "../../../contract/format-count.ts";
import type { FailedJob, JobQueue } from "../../../contract/system.ts";
import { call } from "../../api.ts";
import { showTime } from "../../components/display.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { DayAndTime } from "../../components/unbroken.tsx";
import type { Column } from "../../lists/column.ts";
import { DataTable } from "../../lists/data-table.tsx";
import { useMayCall } from "../../portal/use-may-call.ts";
import { toast } from "../../toast.ts";

/** A duration as text: "2 h 5 min". */
function showSpan(seconds: number): string {
  if (seconds < 1) return "–";
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

type QueueRow = JobQueue & { id: string };
const queueColumns: readonly Column<QueueRow>[] = [
  {
    label: "Jobs",
    cell: ({ does }) => (
      <Text fw={650} fz="inherit" component="span">
        {does}
      </Text>
    ),
  },
  { label: "Waiting", cell: ({ waiting }) => formatCount(waiting), numeric: true },
  { label: "At work", cell: ({ active }) => formatCount(active), numeric: true },
  { label: "Failed", cell: ({ failed }) => formatCount(failed), numeric: true },
  { label: "Oldest waits", cell: ({ oldest_seconds }) => showSpan(oldest_seconds), numeric: true },
  {
    label: "State",
    cell: ({ state }) =>
      state === "good" ? (
        <StateBadge tone="good">Good</StateBadge>
      ) : (
        <StateBadge tone="warning">Needs a look</StateBadge>
      ),
  },
];

/** How full each queue of jobs is. */
export function JobQueues({ queues }: { queues: JobQueue[] | null }) {
  return (
    <PanelSection title="Queues of jobs" level={2} hint="What the software does in the background." bare>
      {queues ? (
        <DataTable
          caption="Queues of jobs"
          columns={queueColumns}
          rows={queues.map((queue) => ({ ...queue, id: queue.queue }))}
        />
      ) : (
        <Text>The queues could not be read in time.</Text>
      )}
    </PanelSection>
  );
}

const failedColumns: readonly Column<FailedJob>[] = [
  { label: "Failed", cell: ({ failed_at }) => <DayAndTime instant={failed_at} /> },
  {
    label: "Job",
    cell: ({ does }) => (
      <Text fw={650} fz="inherit" component="span">
        {does}
      </Text>
    ),
  },
  { label: "Reason", cell: ({ reason }) => <span style={{ overflowWrap: "anywhere" }}>{reason}</span>, width: 260 },
  { label: "Tries", cell: ({ tries }) => formatCount(tries), numeric: true },
];

/** Jobs that used up their attempts, each with a button to retry it. */
export function FailedJobs({ jobs }: { jobs: FailedJob[] | null }) {
  const mayRetry = useMayCall()("admin/system/retry-job");
  return (
    <PanelSection
      title="Failed jobs"
      level={2}
      hint="The newest fifty of the last week that failed every try. Those that somebody depends on are also retried automatically, less and less often."
      bare
    >
      {!jobs && <Text>The failed jobs could not be read in time. There may be very many jobs: try again later.</Text>}
      {jobs?.length === 0 && <Text c="var(--site-muted)">No job of the last week failed every try.</Text>}
      {jobs && jobs.length > 0 && (
        <DataTable
          caption="Failed jobs"
          columns={failedColumns}
          rows={jobs}
          actions={mayRetry ? (job) => <Retry job={job} /> : undefined}
        />
      )}
    </PanelSection>
  );
}

function Retry({ job: { id, queue, does, failed_at } }: { job: FailedJob }) {
  const queries = useQueryClient();
  const retry = useMutation({
    mutationFn: () => call("admin/system/retry-job", { queue, id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ["admin/system"] }),
  });
  return (
    <Button
      variant="default"
      loading={retry.isPending}
      aria-label={`Try again: ${does}, failed ${showTime(failed_at)}`}
      onClick={() => retry.mutate()}
    >
      Try again
    </Button>
  );
}
