import { Alert, Anchor, Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import { entityClasses } from "../../contract/entity-classes.ts";
import { messages } from "../../contract/messages.ts";
import type { Onboarding, OnboardingItem } from "../../contract/onboarding.ts";
import { call } from "../api.ts";
import { ConfirmedAction } from "../components/confirmed-action.tsx";
import { showDay } from "../components/display.ts";
import { openedLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { OnboardingLines } from "../onboarding/onboarding-lines.tsx";
import { onboardingQuery } from "../onboarding/onboarding-of.ts";
import type { PlanDialogProps } from "../onboarding/plan-dialog.tsx";
import type { SiteDialogProps } from "../onboarding/site-dialog.tsx";
import type { TimeZoneDialogProps } from "../onboarding/time-zone-dialog.tsx";
import { useMayCall } from "../portal/use-may-call.ts";

export const meta = () => [{ title: `Onboarding – ${brand.name}` }];

const PlanDialog = openedLater<PlanDialogProps>(() => import("../onboarding/plan-dialog.tsx"), { item: null });
const SiteDialog = openedLater<SiteDialogProps>(() => import("../onboarding/site-dialog.tsx"), { opened: false });
const TimeZoneDialog = openedLater<TimeZoneDialogProps>(() => import("../onboarding/time-zone-dialog.tsx"), {
  current: null,
});

const of = { reader: "user" } as const;

/** The steps left until everything that the organisation pays for is watched. */
export default function CustomerOnboarding() {
  const found = useQuery(onboardingQuery(of));
  return (
    <>
      <PageTitle title="Onboarding" hint="What has to happen before everything that you pay for is watched." />
      {found.isError && !found.data ? (
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      ) : !found.data ? (
        <ListLoading rows={6} />
      ) : found.data.state === "none" ? (
        <ListEmpty message="Nothing to do yet">
          <Text c="var(--site-muted)">
            Onboarding starts with your first order. You then see each step here and whose move it is; steps are ticked
            as devices connect.
          </Text>
          <Button component={Link} to="/user/myquote" variant="default" mt="sm">
            Open my quotes
          </Button>
        </ListEmpty>
      ) : (
        <Checklist onboarding={found.data} />
      )}
    </>
  );
}

function Checklist({ onboarding }: { onboarding: Onboarding }) {
  const { state, doneAt, items, people, timeZone } = onboarding;
  const [planned, setPlanned] = useState<OnboardingItem | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const [zone, setZone] = useState<string | null>(null);
  const mayCall = useMayCall();
  const maySet = mayCall("user/onboarding/time-zone");
  const done = items.filter((item) => item.state === "done").length;
  const isYours = (item: OnboardingItem) => item.state !== "done" && item.side === "yours";
  const parts = [
    { title: "Your move", of: items.filter(isYours) },
    { title: "Our move", of: items.filter((item) => item.state !== "done" && !isYours(item)) },
    { title: "Done", of: items.filter((item) => item.state === "done") },
  ];
  const settle = ({ kind }: OnboardingItem) => {
    if (kind === "time zone" && maySet) return { label: "Set the time zone", act: () => setZone(timeZone) };
    if (kind === "sites" && maySet) return { label: "Add a site", act: () => setIsAdding(true) };
    if (kind === "contacts") return { label: "Open the contacts", to: "/user/under-attack" };
    if (kind === "log source") return { label: "See the coverage", to: "/user/coverage" };
    return null;
  };
  return (
    <Stack gap="xl">
      {state === "done" && doneAt ? (
        <Alert color="green" variant="light" title={`Done since ${showDay(doneAt)}`}>
          Everything was connected then. For the state now, see{" "}
          <Anchor component={Link} to="/user/coverage">
            Coverage
          </Anchor>
          .
        </Alert>
      ) : (
        <Text fz="lg" fw={650} role="status">
          {done} of {items.length} steps are done; {restOf(items.length - done, items.filter(isYours).length)}.
        </Text>
      )}
      {parts.map(
        ({ title, of: some }) =>
          some.length > 0 && (
            <PanelSection key={title} title={title} level={2} bare>
              <OnboardingLines
                of={of}
                items={some}
                level={3}
                mayTick={mayCall("user/onboarding/tick")}
                onPlan={mayCall("user/onboarding/plan") ? setPlanned : null}
                onSettle={settle}
              />
            </PanelSection>
          ),
      )}
      <Sites onboarding={onboarding} onAdd={maySet ? () => setIsAdding(true) : null} />
      <Regulators />
      <PlanDialog reader="user" people={people} item={planned} onClose={() => setPlanned(null)} />
      <SiteDialog opened={isAdding} onClose={() => setIsAdding(false)} />
      <TimeZoneDialog current={zone} onClose={() => setZone(null)} />
    </Stack>
  );
}

/** The organisation's regulatory classes; if it has given none, why it should. */
function Regulators() {
  const found = useQuery({
    queryKey: ["user/obligations"],
    queryFn: ({ signal }) => call("user/obligations", {}, signal),
  });
  const maySay = useMayCall()("user/obligations/classes");
  // Asks only once it is known that none were given.
  if (found.isPending) return null;
  if (!found.data)
    return (
      <PanelSection title="Regulators" level={2}>
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      </PanelSection>
    );
  const said = found.data.entity.classes;
  return said.length > 0 ? (
    <PanelSection
      title="Regulators"
      level={2}
      aside={
        <Anchor component={Link} to="/user/obligations" aria-label={`${maySay ? "Change" : "Show"}: Regulators`}>
          {maySay ? "Change" : "Show"}
        </Anchor>
      }
    >
      <Text>To regulators, your organization is: {said.map((each) => entityClasses[each].name).join("; ")}.</Text>
    </PanelSection>
  ) : (
    <PanelSection title="Regulators" level={2}>
      <Text mb="sm">
        Which regulators’ clocks an incident starts depends on what your organization is: bank, listed company, insurer.
        Say it before the first incident.
      </Text>
      <Button
        component={Link}
        to="/user/obligations"
        variant="default"
        // With large letters the label takes two lines on a phone.
        h="auto"
        mih={36}
        py={6}
        maw="100%"
        styles={{ label: { whiteSpace: "normal", lineHeight: 1.25 } }}
      >
        Say what you are to regulators
      </Button>
    </PanelSection>
  );
}

/** How many of the remaining steps are the customer's, in words. */
function restOf(left: number, yours: number): string {
  if (yours === 0) return left === 1 ? "the last one is ours" : "the rest is ours";
  if (yours === left) return left === 1 ? "the last one is yours" : `the other ${left} are yours`;
  return `of the other ${left}, ${yours} ${yours === 1 ? "is" : "are"} yours`;
}

function Sites({ onboarding: { sites }, onAdd }: { onboarding: Onboarding; onAdd: (() => void) | null }) {
  if (sites.length === 0) return null;
  return (
    <PanelSection
      title="Sites"
      level={2}
      aside={
        onAdd && (
          <Button variant="default" onClick={onAdd}>
            Add a site
          </Button>
        )
      }
    >
      <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {sites.map(({ id, name, address }) => (
          <Group key={id} component="li" justify="space-between" gap="sm">
            <div style={{ overflowWrap: "anywhere", flex: "1 1 200px" }}>
              <Text fw={600}>{name}</Text>
              <Text fz="sm" c="var(--site-muted)">
                {address}
              </Text>
            </div>
            {onAdd && (
              <ConfirmedAction
                label="Remove"
                about={name}
                title={`Remove ${name}`}
                failed="It could not be removed."
                act={() => call("user/onboarding/remove-site", { id })}
                stale={[["user/onboarding"]]}
              >
                {name} is taken out of the list. Nothing else changes.
              </ConfirmedAction>
            )}
          </Group>
        ))}
      </Stack>
    </PanelSection>
  );
}
