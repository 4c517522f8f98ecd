import { Button, Group, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { RateCardEntry } from "../../../contract/rates.ts";
import { call } from "../../api.ts";
import { isolated, showDay, showTime } from "../../components/display.ts";
import { openedLater } from "../../components/later.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { StateBadge } from "../../components/state-badge.tsx";
import { toast } from "../../toast.ts";
import { Changes } from "./changes.tsx";
import classes from "./rate-card.module.css";
import { ratesKey } from "./use-card-editor.ts";

const OldCard = openedLater<{ id: string | null; onClose: () => void }>(() => import("./old-card.tsx"), { id: null });

const states = {
  coming: { label: "Coming", tone: "warning" },
  in_force: { label: "In force", tone: "good" },
  past: { label: "Past", tone: "neutral" },
  withdrawn: { label: "Withdrawn", tone: "neutral" },
} as const;

/** All cards, each with who published it and when; one that is not yet in force can be withdrawn. */
export function History({ cards, readOnly }: { cards: readonly RateCardEntry[]; readOnly: boolean }) {
  const queries = useQueryClient();
  const [shown, setShown] = useState<string | null>(null);
  const withdraw = useMutation({
    mutationFn: (id: string) => call("admin/rates/withdraw", { id }),
    onSuccess: ({ message }) => toast.success(message),
    onError: (error) => toast.error(error.message),
    onSettled: () => queries.invalidateQueries({ queryKey: ratesKey }),
  });
  return (
    <PanelSection level={2} title="History">
      <ul className={classes.history}>
        {cards.map((card) => (
          <li key={card.id}>
            <Group justify="space-between" gap="sm">
              <div>
                <Group gap="sm">
                  <Text fw={650}>Card {card.number}</Text>
                  <StateBadge tone={states[card.state].tone}>{states[card.state].label}</StateBadge>
                  {card.isSample && <StateBadge tone="warning">SAMPLE</StateBadge>}
                </Group>
                <Text c="var(--site-muted)" fz="sm">
                  {saidOf(card)}
                </Text>
              </div>
              <Group gap="xs">
                <Button
                  variant="subtle"
                  mih={44}
                  onClick={() => setShown(card.id)}
                  aria-label={`Show card ${card.number}`}
                >
                  Show
                </Button>
                {card.state === "coming" && !readOnly && (
                  <Button
                    variant="default"
                    mih={44}
                    loading={withdraw.isPending}
                    onClick={() => withdraw.mutate(card.id)}
                    aria-label={`Withdraw card ${card.number}`}
                  >
                    Withdraw
                  </Button>
                )}
              </Group>
            </Group>
            {card.published_by && <Changes changes={card.changes} />}
          </li>
        ))}
      </ul>
      <OldCard id={shown} onClose={() => setShown(null)} />
    </PanelSection>
  );
}

function saidOf({ state, in_force_from, published_at, published_by }: RateCardEntry): string {
  const who = published_by
    ? `Published by ${isolated(published_by)}, ${showTime(published_at)}`
    : "Came with the product";
  if (state === "withdrawn") return `${who}. Was to come into force on ${showDay(in_force_from)}`;
  return `${who}. In force from ${showTime(in_force_from)}`;
}
