import { Button, Group, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { formatCount } from "../../contract/format-count.ts";
import { clockNames, incidentStates } from "../../contract/incident-states.ts";
import type { ServiceView } from "../../contract/service-view.ts";
import { call } from "../api.ts";
import { dueIn, showDay, showTime, showWrittenDay } from "../components/display.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { WholeNumbers } from "../components/unbroken.tsx";
import { ListFailed } from "../lists/list-state.tsx";
import { useNow } from "../incidents/use-now.ts";
import { useSession } from "../session.ts";
import { healthOf } from "./health.ts";
import {
  BoardGrid,
  BoardLoading,
  CoverageRing,
  HealthSentence,
  More,
  Muted,
  OpenBySeverity,
  Rows,
  Whole,
} from "./service-parts.tsx";

const everyMinute = 60_000;

/** A customer's overview: whether all that is paid for is watched, what happened, what expires, and what to do. */
export function ServiceBoard() {
  const view = useQuery({
    queryKey: ["user/service"],
    queryFn: ({ signal }) => call("user/service", {}, signal),
    refetchInterval: everyMinute,
  });
  if (view.isPending) return <BoardLoading />;
  return (
    <Stack gap="lg">
      {view.isError && (
        <ListFailed
          message={
            view.data
              ? "The state of the service could not be refreshed. What was loaded before is below."
              : "The state of the service could not be loaded."
          }
          onRetry={() => void view.refetch()}
        />
      )}
      {view.data && <Board view={view.data} />}
    </Stack>
  );
}

function Board({ view }: { view: ServiceView }) {
  return (
    <>
      <HealthSentence {...healthOf(view)} />
      <BoardGrid>
        <Actions view={view} />
        <Clocks view={view} />
        <Incidents view={view} />
        <Coverage view={view} />
        <Contract view={view} />
      </BoardGrid>
    </>
  );
}

function Coverage({ view: { coverage } }: { view: ServiceView }) {
  const { asOf, contracted, unknownSince, notContracted } = coverage;
  return (
    <PanelSection title="Coverage" level={2} aside={<More to="/user/coverage">All devices</More>}>
      {asOf === null || contracted === 0 ? (
        <Muted>
          Nothing is contracted yet. Once your first order is paid, you see here what you pay for and what is connected.
        </Muted>
      ) : (
        <>
          <CoverageRing counts={coverage} />
          <Muted>
            {unknownSince ? `Part of it has not been known since ${showTime(unknownSince)}. ` : ""}
            {notContracted > 0 ? `${formatCount(notContracted)} more are connected and not contracted. ` : ""}
            Counted {showTime(asOf)}.
          </Muted>
        </>
      )}
    </PanelSection>
  );
}

function Incidents({ view: { incidents } }: { view: ServiceView }) {
  return (
    <PanelSection title="Open incidents" level={2} aside={<More to="/user/incidents">All incidents</More>}>
      <OpenBySeverity open={incidents.bySeverity} />
      {incidents.worst.length > 0 && (
        <Rows
          rows={incidents.worst.map(({ id, number, title, state }) => ({
            key: id,
            text: (
              <Link to={`/user/incidents/${id}`}>
                <Whole>{number}</Whole> {title}
              </Link>
            ),
            aside: incidentStates[state],
          }))}
        />
      )}
    </PanelSection>
  );
}

const wordsOf = (clock: ServiceView["clocks"][number]) =>
  clock.of === "promise"
    ? `${clockNames[clock.clock]}, promised by us`
    : `${clock.title}${clock.state === "may apply" ? ", which may apply" : ""}`;

function Clocks({ view: { clocks } }: { view: ServiceView }) {
  const now = useNow();
  return (
    <PanelSection title="Clocks that run" level={2}>
      {clocks.length === 0 ? (
        <Muted>No clock is running. Our promises and reports to regulators appear here while their time runs.</Muted>
      ) : (
        <Rows
          rows={clocks.map((clock) => ({
            key: `${clock.incidentId} ${clock.of === "promise" ? clock.clock : clock.title}`,
            text: (
              <Link to={`/user/incidents/${clock.incidentId}`}>
                <Whole>{clock.number}</Whole>: {wordsOf(clock)}
              </Link>
            ),
            aside: clock.dueAt === null ? "without delay" : dueIn(clock.dueAt, now),
          }))}
        />
      )}
    </PanelSection>
  );
}

/** The screen for each kind of action, and the kind's label. */
const places = {
  incident: { to: "/user/incidents", kind: "Asked of you", tone: "warning" },
  coverage: { to: "/user/coverage", kind: "Coverage", tone: "neutral" },
  onboarding: { to: "/user/onboarding", kind: "Onboarding", tone: "neutral" },
  contract: { to: "/user/contract", kind: "Contract", tone: "neutral" },
} as const;

function Actions({ view }: { view: ServiceView }) {
  const { actions, moreActions, contract, coverage } = view;
  const isNew = contract === null && coverage.contracted === 0;
  return (
    <PanelSection title="Your actions" level={2} {...(actions.length > 1 && { hint: "The most urgent first." })}>
      {actions.length === 0 ? (
        isNew ? (
          <FirstSteps quote={view.quote} />
        ) : (
          <Muted>Nothing waits for you.</Muted>
        )
      ) : (
        <Rows
          rows={actions.map(({ what, place, id, dueOn }, index) => {
            const { to, kind, tone } = places[place];
            return {
              key: `${index} ${what}`,
              kind: <StateBadge tone={tone}>{kind}</StateBadge>,
              text: (
                <Link to={id === null ? to : `${to}/${id}`}>
                  <WholeNumbers text={what} />
                </Link>
              ),
              ...(dueOn && { aside: `by ${showWrittenDay(dueOn)}` }),
            };
          })}
        />
      )}
      {moreActions > 0 && (
        <Muted>
          {formatCount(moreActions)} more {moreActions === 1 ? "waits" : "wait"} behind these.
        </Muted>
      )}
    </PanelSection>
  );
}

const toCount = { to: "/user/estimator", label: "Count your devices" };
const toQuotes = { to: "/user/myquote", label: "Open my quotes" };

/** The next steps for an organisation that has bought nothing yet: its quote first, if it has one. */
function FirstSteps({ quote }: { quote: ServiceView["quote"] }) {
  const { role } = useSession();
  const mayCount = role === "user";
  const steps = quote ? [toQuotes, ...(mayCount ? [toCount] : [])] : mayCount ? [toCount, toQuotes] : [];
  return (
    <>
      <Muted>
        {quote
          ? nextStepOf(quote)
          : mayCount
            ? "Nothing is bought yet. Count what should be watched, and see the price beside it."
            : "Nothing is bought yet. The person who answers for your organization asks for a quote."}
      </Muted>
      {steps.length > 0 && (
        <Group gap="sm" mt="md">
          {steps.map(({ to, label }, index) => (
            <Button key={to} component={Link} to={to} variant={index === 0 ? "filled" : "default"}>
              {label}
            </Button>
          ))}
        </Group>
      )}
    </>
  );
}

const nextStepOf = ({ number, valid_until, isBeingPaid }: NonNullable<ServiceView["quote"]>) =>
  isBeingPaid
    ? `The payment of ${number} is not complete yet. My Quotes says what it waits for.`
    : `${number} is priced. Read its proposal, and buy it until ${showDay(valid_until)}.`;

const renewals = {
  none: "The quote for the next year is made 60 days before the end.",
  quoted: "The quote for the next year is in My Quotes.",
  accepted: "The next year is accepted, and not paid yet.",
  declined: "The next year was declined: the service ends on the last day.",
  expired: "The quote for the next year has expired.",
  renewed: "The next year is paid.",
} as const;

function Contract({ view: { contract } }: { view: ServiceView }) {
  return (
    <PanelSection title="Term and renewal" level={2} aside={<More to="/user/contract">The contract</More>}>
      {contract === null ? (
        <Muted>No contract yet. It begins when your first order is paid.</Muted>
      ) : (
        <>
          <Rows
            rows={[
              {
                key: "term",
                text: <Whole>{contract.number}</Whole>,
                aside: (
                  <>
                    <Whole>{showWrittenDay(contract.starts_on)}</Whole> to{" "}
                    <Whole>{showWrittenDay(contract.ends_on)}</Whole>
                  </>
                ),
              },
              { key: "left", text: "Days left", aside: formatCount(contract.days_left) },
            ]}
          />
          <Muted>
            {renewals[contract.renewal]}
            {contract.renews_itself && contract.renewal === "none" ? " It is accepted by itself, as you chose." : ""}
          </Muted>
        </>
      )}
    </PanelSection>
  );
}
