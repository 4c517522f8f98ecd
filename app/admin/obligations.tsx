import { Alert, Button, List, Text } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import { messages } from "../../contract/messages.ts";
import { type Confidence, confidences } from "../../contract/obligation-words.ts";
import type { EditableObligation } from "../../contract/obligations.ts";
import { call } from "../api.ts";
import { showDay, showTime } from "../components/display.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import type { Column } from "../lists/column.ts";
import { DataTable } from "../lists/data-table.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import type { HistoryDialogProps } from "./obligations/history-dialog.tsx";
import { showDeadline } from "./obligations/show-deadline.ts";
import type { ObligationDialogProps } from "./obligations/obligation-dialog.tsx";

export const meta = () => [{ title: `Obligations – ${brand.name}` }];

const ObligationDialog = openedLater<ObligationDialogProps>(() => import("./obligations/obligation-dialog.tsx"), {
  edited: null,
});
const HistoryDialog = openedLater<HistoryDialogProps>(() => import("./obligations/history-dialog.tsx"), {
  shown: null,
});

/** The law behind the regulators' clocks, as data: shipped, then changed and verified by named administrators. */
export default function Obligations() {
  const [edited, setEdited] = useState<EditableObligation | "new" | null>(null);
  const [shown, setShown] = useState<EditableObligation | null>(null);
  const mayCall = useMayCall();
  const mayEdit = mayCall("admin/obligations/post");
  const found = useQuery({
    queryKey: ["admin/obligations"],
    queryFn: async ({ signal }) => (await call("admin/obligations", {}, signal)).obligations,
  });
  return (
    <>
      <PageTitle
        title="Obligations"
        hint="What regulators ask for after an incident. Every customer’s clocks follow this list."
      >
        {mayEdit && (
          <Button size="md" leftSection={<IconPlus size={18} aria-hidden />} onClick={() => setEdited("new")}>
            Add
          </Button>
        )}
      </PageTitle>
      <Alert color="blue" variant="light" role="note" mb="lg" title="Facts about law, not legal advice">
        What is shipped was taken from compilations, as each line says. Read the official text before you verify one:
        your name then stands beside it on every customer’s screen. Hours for the United Arab Emirates are not shipped.
        {found.data && <Sources obligations={found.data} />}
      </Alert>
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : found.data ? (
        <DataTable
          caption="Obligations"
          columns={columns}
          rows={found.data.map((each) => ({ ...each, id: each.key }))}
          actions={(obligation) => (
            <>
              {mayEdit && (
                <Button
                  variant="default"
                  aria-label={`Edit ${obligation.words.title}`}
                  onClick={() => setEdited(obligation)}
                >
                  Edit
                </Button>
              )}
              <Button
                variant="default"
                aria-label={`Versions of ${obligation.words.title}`}
                onClick={() => setShown(obligation)}
              >
                Versions
              </Button>
              {mayCall("admin/obligations/verify") && <Verify obligation={obligation} />}
            </>
          )}
        />
      ) : (
        <ListLoading rows={8} />
      )}
      <ObligationDialog edited={edited} onClose={() => setEdited(null)} />
      <HistoryDialog shown={shown} onClose={() => setShown(null)} />
    </>
  );
}

/** What the source letters shown beside unverified obligations mean. */
function Sources({ obligations }: { obligations: readonly EditableObligation[] }) {
  const used = new Set(obligations.filter(({ verified }) => !verified).map(({ words }) => words.confidence));
  return (
    <List fz="inherit" mt="xs">
      {Object.entries(confidences).map(
        ([letter, said]) =>
          used.has(letter as Confidence) && (
            <List.Item key={letter}>
              Source {letter}: {said}
            </List.Item>
          ),
      )}
    </List>
  );
}

type Row = EditableObligation & { id: string };

const columns: readonly Column<Row>[] = [
  {
    label: "Obligation",
    width: 170,
    cell: ({ words: { title, instrument, paragraph } }) => (
      <>
        <Text fw={600} fz="inherit">
          {title}
        </Text>
        <Text fz="xs" c="var(--site-muted)">
          {instrument}, {paragraph}
        </Text>
      </>
    ),
  },
  { label: "Time", cell: ({ words: { deadline } }) => showDeadline(deadline) },
  {
    label: "In force",
    cell: ({ words: { validFrom, validTo } }) =>
      `${validFrom ? `From ${showDay(validFrom)}` : "Start not stated"}${validTo ? ` to ${showDay(validTo)}` : ""}`,
  },
  {
    label: "Shown",
    cell: ({ words: { on } }) =>
      on ? <StateBadge tone="good">On</StateBadge> : <StateBadge tone="neutral">Off</StateBadge>,
  },
  {
    label: "Verified",
    cell: ({ verified, words: { confidence } }) =>
      verified ? (
        <>
          <bdi>{verified.by}</bdi>
          <Text fz="xs" c="var(--site-muted)">
            {showTime(verified.on)}
          </Text>
        </>
      ) : (
        <>
          Nobody
          <Text fz="xs" c="var(--site-muted)">
            Source {confidence}
          </Text>
        </>
      ),
  },
];

function Verify({ obligation: { key, version, verified, words } }: { obligation: EditableObligation }) {
  const isVerified = verified !== null;
  return (
    <ConfirmedAction
      label={isVerified ? "Take back" : "Verify"}
      about={words.title}
      title={isVerified ? "Take back the verification" : "Verify by name"}
      destructive={isVerified}
      failed="It could not be saved."
      act={() => call("admin/obligations/verify", { key, version, verified: !isVerified })}
      stale={[["admin/obligations"], ["admin/obligations/history"]]}
    >
      {isVerified
        ? "These words are then unverified again, and customers see that."
        : `You say that you have read the official text of ${words.instrument}, ${words.paragraph}, and that these words agree with it. Your name and the time stand beside it for customers, until somebody changes it.`}
    </ConfirmedAction>
  );
}
