import { Anchor, Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { actionQueues } from "../../contract/action-queues.ts";
import type { ListedPerson } from "../../contract/people.ts";
import type { Overview } from "../../contract/reports.ts";
import { isolated, showDay, showRupees, showTime } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { showTotal } from "../lists/show-total.ts";
import classes from "./overview-lists.module.css";

export function LatestLeads({ leads }: { leads: Overview["latestLeads"] }) {
  return (
    <PanelSection title="Latest leads" level={2} aside={<Beside to="/admin/estimateOrder">All leads</Beside>}>
      <Rows
        empty="No leads yet. Every estimate sent from the site appears here."
        rows={leads.map((lead) => ({
          id: lead.id,
          title: lead.organization_name,
          to: `/admin/estimateOrder?search=${lead.number}`,
          detail: `${lead.number}, ${isolated(lead.user_name)}, ${showTime(lead.created_at)}`,
          aside: <strong className="tabular">{showRupees(lead.total_cost)}</strong>,
        }))}
      />
    </PanelSection>
  );
}

export function RatesToConfirm({ quotes, total, totalIsCapped }: Overview["quotesToConfirm"]) {
  return (
    <PanelSection
      title="Quotes that wait for their rates"
      level={2}
      aside={
        <Beside to="/admin/estimateOrder?rates=waiting" count={{ total, totalIsCapped }}>
          Show them
        </Beside>
      }
    >
      <Rows
        empty="No custom device waits for its rate."
        rows={quotes.map((quote) => ({
          id: quote.id,
          title: quote.organization_name,
          to: `/admin/estimateOrder?rates=waiting&search=${quote.number}`,
          detail: `${quote.number}, ${isolated(quote.user_name)}, ${showTime(quote.created_at)}, until ${showDay(quote.valid_until)}`,
          aside: <strong className="tabular">{showRupees(quote.total_cost)}</strong>,
        }))}
        more={{ total: total - quotes.length, totalIsCapped }}
      />
    </PanelSection>
  );
}

export function CustomersWithoutDashboards({
  customers,
  total,
  totalIsCapped,
  toActivate,
  onView,
}: Overview["customersWithoutDashboards"] & {
  /** How many of them have paid. */
  toActivate: Overview["actions"][number] | undefined;
  onView: (customer: ListedPerson) => void;
}) {
  return (
    <PanelSection
      title="Customers without activated dashboards"
      level={2}
      aside={
        <Beside to="/admin/actions?queue=dashboards" {...(toActivate && { count: toActivate })}>
          Who has paid
        </Beside>
      }
    >
      <Rows
        empty="Every customer has activated dashboards."
        rows={customers.map((customer) => ({
          id: customer.id,
          title: customer.organization_name,
          detail: `${customer.email}, since ${showDay(customer.created_at)}`,
          aside: (
            <Button
              variant="default"
              aria-label={`View ${customer.organization_name}`}
              onClick={() => onView(customer)}
              mih={44}
            >
              View
            </Button>
          ),
        }))}
        more={{ total: total - customers.length, totalIsCapped }}
      />
    </PanelSection>
  );
}

/** The open entries of an action queue, each with a link to it there. */
export function OpenActions({ queue, items, total, totalIsCapped }: Overview["actions"][number]) {
  const { title } = actionQueues[queue];
  const address = `/admin/actions?queue=${queue}`;
  return (
    <PanelSection
      title={title}
      level={2}
      aside={
        <Beside to={address} name={`Open the queue: ${title}`} count={{ total, totalIsCapped }}>
          Open the queue
        </Beside>
      }
    >
      <Rows
        empty={queue === "payments" ? "No payment waits for a person." : "All mail has gone out."}
        rows={items.map((item) => ({
          id: item.id,
          title: `${item.about}, ${isolated(item.who)}`,
          to: `${address}&item=${item.id}`,
          detail: `${item.problem.replace(/[.]?$/, ".")} Since ${showTime(item.since)}`,
          aside: item.taken_by ? (
            <StateBadge tone="info">With {item.taken_by}</StateBadge>
          ) : (
            <StateBadge tone="warning">Open</StateBadge>
          ),
        }))}
        more={{ total: total - items.length, totalIsCapped }}
      />
    </PanelSection>
  );
}

interface Row {
  id: string;
  title: string;
  /** The screen that shows it. */
  to?: string;
  detail: string;
  aside: ReactNode;
}

function Rows({
  rows,
  empty,
  more,
}: {
  rows: readonly Row[];
  empty: string;
  /** How many there are besides these rows. */
  more?: { total: number; totalIsCapped: boolean };
}) {
  if (rows.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    <>
      <ul className={classes.rows}>
        {rows.map(({ id, title, to, detail, aside }) => (
          <li key={id}>
            <div className={classes.text}>
              <span className={classes.title}>
                {to ? (
                  <Link to={to}>
                    <bdi>{title}</bdi>
                  </Link>
                ) : (
                  <bdi>{title}</bdi>
                )}
              </span>
              <span className={classes.detail}>
                <bdi>{detail}</bdi>
              </span>
            </div>
            {aside}
          </li>
        ))}
      </ul>
      {more && more.total > 0 && <p className={classes.more}>and {showTotal(more)} more</p>}
    </>
  );
}

/** Beside a list's title: a link to the whole list, and its count. */
function Beside({
  to,
  name,
  count,
  children,
}: {
  to: string;
  /** The accessible name, for readers who reach the link without its title. */
  name?: string;
  count?: { total: number; totalIsCapped: boolean };
  children: string;
}) {
  return (
    <Group gap="sm">
      <Anchor component={Link} to={to} fz="sm" fw={600} {...(name && { "aria-label": name })}>
        {children}
      </Anchor>
      {count && <StateBadge tone={count.total === 0 ? "good" : "warning"}>{showTotal(count)}</StateBadge>}
    </Group>
  );
}
