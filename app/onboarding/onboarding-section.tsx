import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { messages } from "../../contract/messages.ts";
import type { OnboardingItem } from "../../contract/onboarding.ts";
import { showDay } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import { OnboardingLines } from "./onboarding-lines.tsx";
import { onboardingQuery } from "./onboarding-of.ts";
import type { PlanDialogProps } from "./plan-dialog.tsx";

const PlanDialog = openedLater<PlanDialogProps>(() => import("./plan-dialog.tsx"), { item: null });

/** A customer's onboarding, for the panel about the customer. */
export function OnboardingSection({ of }: { of: { reader: "partner" | "admin"; email: string } }) {
  const [planned, setPlanned] = useState<OnboardingItem | null>(null);
  const mayCall = useMayCall();
  const found = useQuery(onboardingQuery(of));
  const isOurs = of.reader === "admin";
  return (
    <PanelSection title="Onboarding" hint="What has to happen before everything is watched, on both sides.">
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <Skeleton h={96} radius="md" />
      ) : found.data.state === "none" ? (
        <Text c="var(--site-muted)">
          Onboarding starts with the first order that is paid, or bought against invoice.
        </Text>
      ) : (
        <>
          <Text mb="sm">
            {found.data.state === "done" && found.data.doneAt
              ? `Done since ${showDay(found.data.doneAt)}. `
              : `${found.data.items.filter(({ state }) => state === "done").length} of ${found.data.items.length} lines are done. `}
            Time zone: {found.data.timeZone}.
          </Text>
          <OnboardingLines
            of={of}
            items={found.data.items}
            level={4}
            mayTick={isOurs && mayCall("admin/onboarding/tick")}
            onPlan={isOurs && mayCall("admin/onboarding/plan") ? setPlanned : null}
            onSettle={null}
          />
          {found.data.sites.length > 0 && (
            <Text mt="sm">Sites: {found.data.sites.map(({ name, address }) => `${name} (${address})`).join("; ")}</Text>
          )}
          <PlanDialog reader="admin" people={found.data.people} item={planned} onClose={() => setPlanned(null)} />
        </>
      )}
    </PanelSection>
  );
}
