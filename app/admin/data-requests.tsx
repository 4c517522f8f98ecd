import { Button, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import type { DataRequest } from "../../contract/data-requests.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { showDay } from "../components/display.ts";
import { AddressText } from "../components/address-text.tsx";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { DayAndTime } from "../components/unbroken.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { Guard } from "../portal/guard.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { toast } from "../toast.ts";
import { RequestForAddress } from "./people/request-for-address.tsx";

export const meta = () => [{ title: `Data requests – ${brand.name}` }];

const kinds: Record<DataRequest["kind"], string> = { export: "Copy of all data", erasure: "Erasure" };
const states: Record<DataRequest["state"], { tone: Tone; text: string }> = {
  waiting: { tone: "warning", text: "Under way" },
  removing: { tone: "warning", text: "Under way" },
  done: { tone: "good", text: "Done" },
  refused: { tone: "bad", text: "Refused" },
};

const columns: readonly Column<DataRequest, "asked_at">[] = [
  {
    label: "Asked",
    cell: ({ asked_at }) => <DayAndTime instant={asked_at} />,
    text: ({ asked_at }) => asked_at,
    sort: "asked_at",
  },
  {
    label: "By",
    cell: ({ asked_by }) => <bdi>{asked_by ?? "–"}</bdi>,
    text: ({ asked_by }) => asked_by ?? "",
    below: true,
  },
  { label: "What", cell: ({ kind }) => kinds[kind], text: ({ kind }) => kinds[kind] },
  {
    label: "About",
    cell: ({ email }) => (email ? <AddressText address={email} /> : "Erased"),
    text: ({ email }) => email ?? "Erased",
    below: true,
  },
  {
    label: "State",
    cell: ({ state, refusal }) => (
      <>
        <StateBadge tone={states[state].tone}>{states[state].text}</StateBadge>
        {refusal && <Text fz="sm">{refusal}</Text>}
      </>
    ),
    text: ({ state, refusal }) => [states[state].text, refusal].filter(Boolean).join(": "),
  },
];

const howToAsk =
  "Open a person under Manage Customer, Manage Partner or My User to make one, or press New request and give an e-mail address.";

/** People's requests about their data, and what became of them. */
export default function DataRequests() {
  const mayCall = useMayCall();
  const mayAsk = mayCall("admin/people/request-data");
  return (
    <Guard to={{ needs: "admin/people/data-requests" }}>
      <ListPage
        name="admin/people/data-requests"
        title="Data requests"
        hint="Copies and erasures that people asked for under the Digital Personal Data Protection Act."
        searchLabel="Search data requests"
        columns={columns}
        fileName="data-requests"
        empty="No data requests"
        emptyHint={mayAsk ? howToAsk : "They appear here as soon as an administrator asks for one."}
        failure={messages.fetchFailed}
        refetchInterval={(pages) => (pages.some(isUnderWay) ? 2000 : false)}
        {...(mayCall("admin/people/data-file") && {
          actions: (request: DataRequest) => <Download request={request} />,
        })}
      >
        {mayAsk && <RequestForAddress />}
      </ListPage>
    </Guard>
  );
}

const isUnderWay = ({ requests }: { requests: DataRequest[] }) =>
  requests.some(({ state }) => state === "waiting" || state === "removing");

function Download({ request }: { request: DataRequest }) {
  const fetchFile = useMutation({
    mutationFn: () => call("admin/people/data-file", { id: request.id }),
    onSuccess: ({ signedUrl }) => location.assign(signedUrl),
    onError: (error) => toast.error(error.message),
  });
  if (!request.file_until) return null;
  return (
    <Button
      variant="default"
      aria-label={`Download the copy for ${request.email ?? ""}, kept until ${showDay(request.file_until)}`}
      loading={fetchFile.isPending}
      onClick={() => fetchFile.mutate()}
    >
      Download
    </Button>
  );
}
