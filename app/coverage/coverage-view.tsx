import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import type { Coverage } from "../../contract/coverage.ts";
import { formatCount } from "../../contract/format-count.ts";
import { messages } from "../../contract/messages.ts";
import { showTime } from "../components/display.ts";
import { partIsGone, shownLater } from "../components/later.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { CustomerRefused, isNoCustomer, noneOfYours, noSuchCustomer } from "../components/customer-refused.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import { CoverageLines } from "./coverage-lines.tsx";
import { CoverageMoves } from "./coverage-moves.tsx";
import type { CoverageOf, CoverageReader } from "./coverage-readers.ts";
import { CoveredDevices, type DeviceActions, type DeviceChoice, deviceChoices } from "./covered-devices.tsx";
import { NotContracted } from "./not-contracted.tsx";
import { useCoverage } from "./use-coverage.ts";

const CoverageDays = shownLater<{ of: CoverageOf }>(
  async () => ({ default: (await import("./coverage-days.tsx")).CoverageDays }),
  () => <ListLoading rows={3} />,
);

/** What a customer pays for beside what is really watched: its lines, who has to act, ninety days, and every device. */
export function CoverageView({
  of,
  addTo,
  nothing,
  deviceActions,
}: {
  of: CoverageOf;
  /** The address of an estimate that starts with these devices; null for users who may not make one. */
  addTo: ((devices: readonly { service: string; deviceType: string; devices: number }[]) => string) | null;
  /** Shown if there is neither a contract nor an engine. */
  nothing: ReactNode;
  deviceActions?: DeviceActions;
}) {
  const found = useCoverage(of);
  const [choice, setChoice] = useChoiceOfAddress("devices", deviceChoices);
  const devices = useRef<HTMLDivElement>(null);
  /** Scrolls to the devices that an entry is about. */
  const showDevices = (chosen: DeviceChoice) => {
    setChoice(chosen);
    devices.current?.focus({ preventScroll: true });
    devices.current?.scrollIntoView();
  };
  if (found.isError && !found.data) {
    if (of.email !== null && isNoCustomer(found.error)) return <NoCustomer reader={of.reader} />;
    return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  }
  if (!found.data) return <ListLoading rows={6} />;
  const coverage = found.data;
  if (coverage.asOf === null) return <ListEmpty message="Nothing is watched yet">{nothing}</ListEmpty>;
  return (
    <Stack gap="xl">
      {found.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />}
      <Standing coverage={coverage} />
      <CoverageMoves coverage={coverage} reader={of.reader} mayAdd={addTo !== null} onShow={showDevices} />
      <PanelSection
        title="By device type"
        hint="Never connected: registered, and nothing has come from it yet. Missing: contracted, and no such device is known."
        level={2}
        bare
        aside={
          coverage.lines.length > 0 && (
            <Button
              variant="default"
              className="screen-only"
              aria-label="Export CSV: by device type"
              onClick={() => void import("./coverage-files.ts").then((files) => files.saveLines(coverage), partIsGone)}
            >
              Export CSV
            </Button>
          )
        }
      >
        <CoverageLines lines={coverage.lines} />
      </PanelSection>
      {coverage.additions.length > 0 && <NotContracted additions={coverage.additions} addTo={addTo} />}
      <CoverageDays of={of} />
      <div ref={devices} tabIndex={-1} style={{ outline: "none" }}>
        <CoveredDevices
          of={of}
          choice={choice}
          onChoose={setChoice}
          {...(deviceActions && { actions: deviceActions })}
        />
      </div>
    </Stack>
  );
}

const NoCustomer = ({ reader }: { reader: CoverageReader }) =>
  reader === "partner" ? (
    <CustomerRefused list="/partner/listuser">{noneOfYours}</CustomerRefused>
  ) : (
    <CustomerRefused list="/admin/customerList">{noSuchCustomer}</CustomerRefused>
  );

/** A sentence on the current coverage, and what is not known. */
function Standing({ coverage: { asOf, lines, unknownSince } }: { coverage: Coverage }) {
  const sum = (of: (line: Coverage["lines"][number]) => number) => lines.reduce((all, line) => all + of(line), 0);
  const [contracted, connected, unknown] = [
    sum((line) => line.contracted),
    sum((line) => line.connected),
    sum((line) => line.unknown),
  ];
  return (
    <Stack gap="sm">
      <Group gap="md" align="baseline">
        <Text fz="lg" fw={650} role="status">
          {contracted === 0
            ? "No device is contracted."
            : connected === contracted
              ? `All ${formatCount(contracted)} contracted devices are connected.`
              : `${formatCount(connected)} of ${formatCount(contracted)} contracted devices are connected.`}
        </Text>
        <Text fz="sm" c="var(--site-muted)">
          Counted {showTime(asOf ?? "")}
        </Text>
      </Group>
      {unknownSince && (
        <Alert color="orange" variant="light" title={`Not known since ${showTime(unknownSince)}`}>
          {unknown > 0
            ? `Of ${formatCount(unknown)} contracted ${unknown === 1 ? "device" : "devices"} we do not know now whether ${unknown === 1 ? "it is" : "they are"} connected. `
            : "The state of some devices is not known now. "}
          Unknown counts as not connected.
        </Alert>
      )}
    </Stack>
  );
}
