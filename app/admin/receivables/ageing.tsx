import { useQuery } from "@tanstack/react-query";
import { messages } from "../../../contract/messages.ts";
import type { Ageing as Sums } from "../../../contract/receivables.ts";
import { call } from "../../api.ts";
import { Amount } from "../../components/unbroken.tsx";
import { ListFailed } from "../../lists/list-state.tsx";
import classes from "./ageing.module.css";

type Columns = readonly (readonly [name: keyof Sums, label: string])[];

const byAge: Columns = [
  ["not_due", "Not due"],
  ["days_1_30", "1 to 30 days"],
  ["days_31_60", "31 to 60 days"],
  ["days_61_90", "61 to 90 days"],
  ["over_90", "Over 90 days"],
  ["owed", "In all"],
];
const besides: Columns = [
  ["expected", "Asked for by proformas"],
  ["credits", "Credits of customers"],
  ["certificates_open", "Certificates to come"],
];

/** The open sums of invoices by how long they have been due; proformas are shown apart, as they are not debts. */
export function Ageing() {
  const ageing = useQuery({
    queryKey: ["admin/receivables/ageing"],
    queryFn: ({ signal }) => call("admin/receivables/ageing", {}, signal),
  });
  const { data } = ageing;
  if (ageing.isError && !data)
    return (
      <div className={classes.ageing}>
        <ListFailed message={messages.fetchFailed} onRetry={() => void ageing.refetch()} />
      </div>
    );
  return (
    <div className={classes.ageing} aria-busy={!data}>
      <Group title="Invoices, by days since they were due" columns={byAge} sums={data} />
      <Group title="Besides" columns={besides} sums={data} />
    </div>
  );
}

const Group = ({ title, columns, sums }: { title: string; columns: Columns; sums: Sums | undefined }) => (
  <section aria-label={title}>
    <p className={classes.title}>{title}</p>
    <dl className={classes.sums}>
      {columns.map(([name, label]) => (
        <div key={name} data-total={name === "owed" || undefined}>
          <dt>{label}</dt>
          <dd>{sums ? <Amount rupees={sums[name]} /> : "…"}</dd>
        </div>
      ))}
    </dl>
  </section>
);
