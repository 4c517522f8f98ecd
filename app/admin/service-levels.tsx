import { Alert, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { brand } from "../../contract/brand.ts";
import { showLimit } from "../../contract/incident-agreement.ts";
import type { LevelVersion } from "../../contract/incident-levels.ts";
import { clockKeys, clockNames, knownSeverities, severityNames, waitsFor } from "../../contract/incident-states.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { showTime, showWrittenDay } from "../components/display.ts";
import { shownLater } from "../components/later.tsx";
import { PageTitle } from "../components/page-title.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { useNow } from "../incidents/use-now.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useMayCall } from "../portal/use-may-call.ts";
import classes from "./incidents/levels.module.css";

export const meta = () => [{ title: `Service Levels – ${brand.name}` }];

const Editor = shownLater<{ newest: LevelVersion }>(
  () => import("./incidents/levels-editor.tsx"),
  () => <ListLoading rows={4} />,
);

/** The service levels that incidents are measured by: the current version, earlier ones, and a new one from a day. */
export default function ServiceLevels() {
  const mayPublish = useMayCall()("admin/service-levels/post");
  const found = useQuery({
    queryKey: ["admin/service-levels"],
    queryFn: ({ signal }) => call("admin/service-levels", {}, signal),
  });
  const title = (
    <PageTitle
      title="Service Levels"
      hint="The time limits for incidents. What the public site says about them is under Site texts."
    />
  );
  if (!found.data)
    return (
      <>
        {title}
        {found.isError ? (
          <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
        ) : (
          <ListLoading rows={5} />
        )}
      </>
    );
  const { versions, in_force } = found.data;
  const [newest] = versions;
  return (
    <>
      {title}
      <Stack gap="lg">
        {versions.find(({ number }) => number === in_force)?.is_sample && (
          <Alert color="orange">
            SAMPLE: these limits came with the product and are nobody’s promise. Incidents say so until you publish your
            own.
          </Alert>
        )}
        {versions.map((version) => (
          <Version key={version.number} version={version} isInForce={version.number === in_force} />
        ))}
        {mayPublish && newest && <Editor newest={newest} />}
      </Stack>
    </>
  );
}

function Version({
  version: { number, agreement, holds_from, is_sample, made_by },
  isInForce,
}: {
  version: LevelVersion;
  isInForce: boolean;
}) {
  const { hours, pauses } = agreement;
  const title = is_sample ? "Shipped sample" : `Version ${number}`;
  const now = useNow(60);
  const isToCome = !is_sample && Date.parse(holds_from) > now.getTime();
  return (
    <PanelSection
      level={2}
      title={title}
      {...(!is_sample && { hint: `From ${showTime(holds_from)}, published by ${made_by ?? "somebody"}` })}
      aside={
        <Group gap="xs">
          {isInForce && <StateBadge tone="good">Holds now</StateBadge>}
          {isToCome && <StateBadge tone="info">To come</StateBadge>}
        </Group>
      }
    >
      <div className={classes.scroll} role="region" aria-label={`${title}: limits`} tabIndex={0}>
        <table className={classes.table} aria-label={`${title}: limits`}>
          <thead>
            <tr>
              <th scope="col">Severity</th>
              {clockKeys.map((clock) => (
                <th key={clock} scope="col">
                  {clockNames[clock]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {knownSeverities.map((severity) => (
              <tr key={severity}>
                <th scope="row">{severityNames[severity]}</th>
                {clockKeys.map((clock) => {
                  const limit = agreement.limits[severity][clock];
                  return <td key={clock}>{limit ? showLimit(limit, hours) : "Nothing"}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Facts
        facts={[
          [
            "Business hours",
            `${hours.days.map((day) => dayNames[day - 1]).join(", ")}, ${hours.from} to ${hours.to}, ${hours.timeZone}`,
          ],
          [
            "Holidays",
            hours.holidays.length > 0 &&
              hours.holidays.map(({ day, name }) => <div key={day}>{`${name}, ${showWrittenDay(day)}`}</div>),
          ],
          ...(["customer", "third_party"] as const).map(
            (waits) =>
              [
                `${waitsFor[waits]} pauses`,
                pauses[waits].map((clock) => clockNames[clock]).join(", ") || "Nothing",
              ] as const,
          ),
        ]}
      />
      <Text c="var(--site-muted)" fz="sm" mt="sm">
        A severity that is not known counts as P1.
      </Text>
    </PanelSection>
  );
}

const dayNames = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"] as const;
