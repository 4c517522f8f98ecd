import { Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import type { OnboardingItem } from "../../contract/onboarding.ts";
import { call } from "../api.ts";
import { showDay, showTime } from "../components/display.ts";
import { StateBadge } from "../components/state-badge.tsx";
import { useDoing } from "../components/use-doing.ts";
import classes from "./onboarding.module.css";
import type { OnboardingOf } from "./onboarding-of.ts";

/** The lines of a checklist: each task, who has to act, what is known of it, and who ticked it. */
export function OnboardingLines({
  of,
  items,
  level,
  mayTick,
  onPlan,
  onSettle,
}: {
  of: OnboardingOf;
  items: readonly OnboardingItem[];
  level: 3 | 4;
  mayTick: boolean;
  /** Null if the reader may not plan. */
  onPlan: ((item: OnboardingItem) => void) | null;
  /** The way on for lines that have a form or a screen of their own; null for the others. */
  onSettle: ((item: OnboardingItem) => WayOn | null) | null;
}) {
  return (
    <ol className={classes.lines}>
      {items.map((item) => {
        const settle = onSettle?.(item) ?? null;
        return (
          <li key={item.id} className={classes.line}>
            <Group justify="space-between" gap="xs" align="flex-start">
              <Text component={`h${level}`} fw={650} fz="md" m={0}>
                {item.title}
              </Text>
              <State item={item} />
            </Group>
            {item.known && <Text>{item.known}</Text>}
            {item.ticked && (
              <Text className={classes.muted}>
                Ticked by <bdi>{item.ticked.by}</bdi>, {showTime(item.ticked.at)}
                {item.byHand ? "" : "; what is connected counts"}
              </Text>
            )}
            <Text className={classes.muted}>
              {item.state === "done"
                ? ""
                : `${whose(of, item)}${item.owner ? `, ${item.owner.name}` : ""}, by ${showDay(item.dueOn)}. `}
              {item.note}
            </Text>
            {item.state !== "done" && <Steps item={item} />}
            <Group gap="xs" mt="xs" className="screen-only">
              {settle && <Settle item={item} way={settle} />}
              {mayTick && item.byHand && <Tick of={of} item={item} />}
              {onPlan && item.state !== "done" && (
                <Button variant="default" aria-label={`Plan ${item.title}`} onClick={() => onPlan(item)}>
                  Plan
                </Button>
              )}
            </Group>
          </li>
        );
      })}
    </ol>
  );
}

/** What a line leads to: something to do here, or another screen. */
export type WayOn = { label: string } & ({ act: () => void } | { to: string });

function Settle({ item, way }: { item: OnboardingItem; way: WayOn }) {
  const look = {
    variant: item.state === "done" ? "default" : "light",
    "aria-label": `${way.label}: ${item.title}`,
    children: way.label,
  };
  return "to" in way ? <Button component={Link} to={way.to} {...look} /> : <Button onClick={way.act} {...look} />;
}

/** Who has to act, in the reader's words. */
export function whose(of: OnboardingOf, { side }: Pick<OnboardingItem, "side">): string {
  if (of.reader === "user") return side === "yours" ? "Your move" : "Our move";
  return side === "yours" ? "The customer’s move" : of.reader === "admin" ? "Our move" : "The service’s move";
}

function State({ item: { state, overdue } }: { item: OnboardingItem }) {
  if (state === "done") return <StateBadge tone="good">Done</StateBadge>;
  if (state === "unknown") return <StateBadge tone="warning">Not known</StateBadge>;
  return overdue ? <StateBadge tone="bad">Late</StateBadge> : <StateBadge tone="info">To do</StateBadge>;
}

function Steps({ item: { steps, products } }: { item: OnboardingItem }) {
  return (
    <>
      <ul className={classes.steps}>
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ul>
      {products.length > 0 && (
        <details>
          <summary>Products that we read here</summary>
          <Text className={classes.muted}>{products.join(", ")}</Text>
        </details>
      )}
    </>
  );
}

function Tick({ of, item }: { of: OnboardingOf; item: OnboardingItem }) {
  const queries = useQueryClient();
  const isDone = item.state === "done";
  const side = of.reader === "admin" ? "admin" : "user";
  const doing = useDoing(
    () => queries.invalidateQueries({ queryKey: [`${of.reader}/onboarding`] }),
    () => call(`${side}/onboarding/tick`, { id: item.id, version: item.version, done: !isDone }),
  );
  return (
    <Button
      variant={isDone ? "default" : "light"}
      aria-label={`${isDone ? "Not done after all" : "Tick as done"}: ${item.title}`}
      loading={doing.isPending}
      onClick={() => doing.mutate()}
    >
      {isDone ? "Not done after all" : "Tick as done"}
    </Button>
  );
}
