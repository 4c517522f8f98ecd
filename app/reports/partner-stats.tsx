import { Card, Skeleton, Text, Title } from "@mantine/core";
import {
  type Icon,
  IconCalendarDollar,
  IconCalendarPlus,
  IconCalendarUser,
  IconCurrencyRupee,
  IconShoppingBag,
  IconUsers,
} from "@tabler/icons-react";
import { lazy, Suspense } from "react";
import type { PartnerDashboard } from "../../contract/reports.ts";
import { showMonth, showRupees } from "../components/display.ts";
import classes from "./partner-stats.module.css";

// The charts' library is larger than the rest of the screen: the figures do not wait for it.
const MonthChart = lazy(() => import("./month-chart.tsx"));

/** A partner's six figures and its last twelve months, as the partner and the administrators see them. */
export function PartnerStats({ stats }: { stats: PartnerDashboard }) {
  const months = stats.months.map(({ month, orders, value }) => ({
    month: showMonth(month),
    orders,
    rupees: Number(value),
    value: showRupees(value),
  }));
  const quiet = stats.months.every(({ orders }) => orders === 0);
  return (
    <div className={classes.board}>
      <dl className={classes.cards}>
        <Stat icon={IconUsers} label="Total Users" value={count(stats.totalUsers)} />
        <Stat icon={IconCalendarUser} label="Users This Month" value={count(stats.usersThisMonth)} />
        <Stat icon={IconShoppingBag} label="Total Orders" value={count(stats.totalOrders)} />
        <Stat icon={IconCalendarPlus} label="Orders This Month" value={count(stats.ordersThisMonth)} />
        <Stat icon={IconCurrencyRupee} label="Total Order Value" value={showRupees(stats.totalOrderValue)} wide />
        <Stat
          icon={IconCalendarDollar}
          label="Order Value This Month"
          value={showRupees(stats.orderValueThisMonth)}
          wide
        />
      </dl>
      <Card withBorder radius="lg" padding="lg" bg="var(--site-surface)" className={classes.charts ?? ""}>
        {quiet ? (
          <Text c="var(--site-muted)" ta="center" py="xl">
            No paid orders in the last twelve months. The charts begin with the first one.
          </Text>
        ) : (
          <>
            <Chart title="Orders by month" data={months} figure="orders" />
            <Chart title="Order value by month" data={months} figure="rupees" />
          </>
        )}
      </Card>
      {!quiet && (
        <details className={classes.table}>
          <summary>The twelve months as a table</summary>
          <table>
            <thead>
              <tr>
                <th scope="col">Month</th>
                <th scope="col">Orders</th>
                <th scope="col">Value</th>
              </tr>
            </thead>
            <tbody>
              {months.map(({ month, orders, value }) => (
                <tr key={month}>
                  <th scope="row">{month}</th>
                  <td>{count(orders)}</td>
                  <td>{value}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
      )}
    </div>
  );
}

/** The room of the six figures and the charts. */
export function PartnerStatsLoading() {
  return (
    <div className={classes.board} role="status" aria-busy="true" aria-label="Loading">
      <div className={classes.cards}>
        {[1, 2, 3, 4, 5, 6].map((card) => (
          <Skeleton key={card} h={124} radius="lg" />
        ))}
      </div>
      <Skeleton h={420} radius="lg" />
    </div>
  );
}

function Stat({
  icon: StatIcon,
  label,
  value,
  wide,
}: {
  icon: Icon;
  label: string;
  value: string;
  /** A whole row on phones, where an amount needs it. */
  wide?: boolean;
}) {
  return (
    <Card
      withBorder
      radius="lg"
      padding="lg"
      bg="var(--site-surface)"
      className={classes.stat ?? ""}
      data-wide={wide || undefined}
    >
      <Text component="dt" fz="sm" c="var(--site-muted)" className={classes.label ?? ""}>
        <StatIcon size={18} stroke={1.7} aria-hidden />
        {label}
      </Text>
      <Text component="dd" className={`tabular ${classes.value}`}>
        {value}
      </Text>
    </Card>
  );
}

function Chart({
  title,
  data,
  figure,
}: {
  title: string;
  data: { month: string; orders: number; rupees: number }[];
  figure: "orders" | "rupees";
}) {
  return (
    <section aria-label={title}>
      <Title order={2} fz="md" mb="sm">
        {title}
      </Title>
      <Suspense fallback={<Skeleton h={190} radius="md" />}>
        <MonthChart data={data} figure={figure} />
      </Suspense>
    </section>
  );
}

const count = (number: number) => number.toLocaleString("en-IN");
