import { Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ActionQueue } from "../../contract/action-queues.ts";
import { brand } from "../../contract/brand.ts";
import { formatCount } from "../../contract/format-count.ts";
import { messages } from "../../contract/messages.ts";
import type { Overview } from "../../contract/reports.ts";
import { ApiError, call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { ListFailed } from "../lists/list-state.tsx";
import { CustomersBoard } from "../service-reports/customers-board.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { conversionOf } from "./conversion.ts";
import { DetailsPanel, type Subject } from "./details-panel.ts";
import { MonthlyFigures } from "./monthly-figures.tsx";
import { CustomersWithoutDashboards, LatestLeads, OpenActions, RatesToConfirm } from "./overview-lists.tsx";
import classes from "./overview-lists.module.css";
import { Figures } from "./figures.tsx";

export const meta = () => [{ title: `Admin Dashboard – ${brand.name}` }];

/** An administrator's first screen: how the service is doing, what waits for somebody, and how business goes. */
export default function AdminDashboard() {
  const [viewed, setViewed] = useState<Subject | null>(null);
  const overview = useQuery({
    queryKey: ["admin/overview"],
    queryFn: ({ signal }) => call("admin/overview", {}, signal),
  });
  const refused = overview.error instanceof ApiError && overview.error.status === 403;
  return (
    <>
      <PageTitle
        title="Admin Dashboard"
        hint="How the service is doing, what needs attention, and how business is going."
      />
      <CustomersBoard area="admin">
        {overview.isPending && <Waiting />}
        {overview.isError && (
          <ListFailed
            message={refused ? messages.unauthorised : messages.dashboardFailed}
            onRetry={() => void overview.refetch()}
          />
        )}
        {overview.isSuccess && (
          <Stack gap="xl">
            <div className={classes.lists}>
              {overview.data.actions.filter(isShown).map((queue) => (
                <OpenActions key={queue.queue} {...queue} />
              ))}
              <RatesToConfirm {...overview.data.quotesToConfirm} />
              <CustomersWithoutDashboards
                {...overview.data.customersWithoutDashboards}
                toActivate={overview.data.actions.find(({ queue }) => queue === "dashboards")}
                onView={({ email, organization_name }) =>
                  setViewed({ kind: "customer", email, name: organization_name })
                }
              />
              <LatestLeads leads={overview.data.latestLeads} />
            </div>
            <Figures figures={figuresOf(overview.data.totals)} />
            <MonthlyFigures months={overview.data.months} />
          </Stack>
        )}
      </CustomersBoard>
      <DetailsPanel start={viewed} onClose={() => setViewed(null)} />
    </>
  );
}

const alwaysShown: ReadonlySet<ActionQueue> = new Set(["payments", "mails"]);

/** Always payments and mails, other queues only with entries; customers without dashboards have a list of their own. */
const isShown = ({ queue, total }: Overview["actions"][number]) =>
  alwaysShown.has(queue) || (total > 0 && queue !== "dashboards");

function figuresOf({ customers, partners, orders, revenue, leads, converted }: Overview["totals"]) {
  const share = conversionOf({ leads, converted })?.toFixed(1).concat("%") ?? "–";
  return [
    { label: "Revenue", value: showRupees(revenue), note: "all paid orders, with GST" },
    { label: "Paid orders", value: formatCount(orders) },
    { label: "Leads", value: formatCount(leads), note: "estimates sent" },
    { label: "Conversion", value: share, note: `${formatCount(converted)} leads are paid` },
    { label: "Customers", value: formatCount(customers) },
    { label: "Partners", value: formatCount(partners) },
  ];
}

function Waiting() {
  return (
    <Stack gap="xl" role="status" aria-busy="true" aria-label="Loading">
      <Skeleton h={280} radius="lg" />
      <Skeleton h={112} radius="lg" />
      <Skeleton h={380} radius="lg" />
    </Stack>
  );
}
