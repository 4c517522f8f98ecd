import { Card, Skeleton, Text } from "@mantine/core";
import {
  type Icon,
  IconCalendarDollar,
  IconCalendarPlus,
  IconCalendarUser,
  IconCurrencyRupee,
  IconShoppingBag,
  IconUsers,
} from "@tabler/icons-react";
import { formatCount } from "../../contract/format-count.ts";
import type { PartnerDashboard } from "../../contract/reports.ts";
import { showMonth, showRupees } from "../components/display.ts";
import { MonthChart } from "./month-charts.ts";
import { type MonthColumn, MonthFigure } from "./month-figure.tsx";
import classes from "./partner-stats.module.css";

const chartHeight = 200;
type Month = PartnerDashboard["months"][number];
const orderColumns: readonly MonthColumn<Month>[] = [{ label: "Orders", cell: ({ orders }) => formatCount(orders) }];
const valueColumns: readonly MonthColumn<Month>[] = [{ label: "Value", cell: ({ value }) => showRupees(value) }];

/** A partner's six figures and last twelve months, for the partner and for administrators. */
export function PartnerStats({ stats }: { stats: PartnerDashboard }) {
  const { months } = stats;
  const orders = months.map((of) => ({ month: showMonth(of.month), figure: of.orders }));
  const value = months.map((of) => ({ month: showMonth(of.month), figure: Number(of.value) }));
  const quiet = months.every((of) => of.orders === 0);
  return (
    <div className={classes.board}>
      <dl className={classes.cards}>
        <Stat icon={IconUsers} label="Total Users" value={formatCount(stats.totalUsers)} meant="Customers" />
        <Stat
          icon={IconCalendarUser}
          label="Users This Month"
          value={formatCount(stats.usersThisMonth)}
          meant="Customers added"
        />
        <Stat icon={IconShoppingBag} label="Total Orders" value={formatCount(stats.totalOrders)} />
        <Stat icon={IconCalendarPlus} label="Orders This Month" value={formatCount(stats.ordersThisMonth)} />
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
            <MonthFigure title="Orders by month" months={months} columns={orderColumns} height={chartHeight}>
              <MonthChart data={orders} figure="orders" label="Orders" height={chartHeight} />
            </MonthFigure>
            <MonthFigure title="Order value by month" months={months} columns={valueColumns} height={chartHeight}>
              <MonthChart data={value} figure="rupees" label="Value" height={chartHeight} />
            </MonthFigure>
          </>
        )}
      </Card>
    </div>
  );
}

/** Stands in for the six figures and the charts. */
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
  meant,
  wide,
}: {
  icon: Icon;
  label: string;
  value: string;
  /** What is counted, if the label uses another word for it. */
  meant?: string;
  /** Takes a whole row on phones, as an amount may need it. */
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
      {meant && (
        <Text component="dd" fz="sm" c="var(--site-muted)" m={0}>
          {meant}
        </Text>
      )}
    </Card>
  );
}
