import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import { call } from "../../api.ts";
import { Facts } from "../../components/panel-section.tsx";
import { Amount } from "../../components/unbroken.tsx";
import { ListFailed } from "../../lists/list-state.tsx";

const columns = [
  ["not_due", "Not due"],
  ["days_1_30", "1 to 30 days"],
  ["days_31_60", "31 to 60 days"],
  ["days_61_90", "61 to 90 days"],
  ["over_90", "Over 90 days"],
  ["owed", "Invoices, in all"],
  ["credits", "Credits"],
  ["expected", "Asked for by proformas"],
  ["certificates_open", "Certificates to come"],
] as const;

/** What invoices have open, by how long they have been due; proformas are no debt, and stand apart. */
export function Ageing() {
  const ageing = useQuery({
    queryKey: ["admin/receivables/ageing"],
    queryFn: ({ signal }) => call("admin/receivables/ageing", {}, signal),
  });
  const { data } = ageing;
  if (ageing.isError && !data)
    return <ListFailed message={messages.fetchFailed} onRetry={() => void ageing.refetch()} />;
  if (!data) return <Skeleton h={96} radius="md" mb="md" />;
  return (
    <section aria-label="Ageing" style={{ marginBottom: 16 }}>
      <Facts facts={columns.map(([name, label]) => [label, <Amount key={name} rupees={data[name]} />] as const)} />
    </section>
  );
}
