import { Box, Group, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { coverageReasons, coverageStates, places } from "../../contract/coverage-words.ts";
import type { CoverageState, CoveredDevice, CoveredDeviceSort } from "../../contract/coverage.ts";
import { engineKinds } from "../../contract/engine-kinds.ts";
import { showMinutes, showTime } from "../components/display.ts";
import { EngineLink } from "../components/engine-link.tsx";
import { PanelSection } from "../components/panel-section.tsx";
import { StateBadge, type Tone } from "../components/state-badge.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import type { Column } from "../lists/column.ts";
import { ListBody } from "../lists/list-body.tsx";
import { ListCount } from "../lists/list-count.tsx";
import { ListExport } from "../lists/list-export.tsx";
import { SearchBox } from "../lists/search-box.tsx";
import { useAskedByAddress } from "../lists/use-asked-by-address.ts";
import { useList } from "../lists/use-list.ts";
import { type CoverageOf, inputOf, readsBy } from "./coverage-readers.ts";

/** The filters of the device list. */
export const deviceChoices = [
  { value: "all", label: "All", input: {} },
  { value: "silent", label: "Silent", input: { state: "silent" } },
  { value: "unknown", label: "Not known", input: { state: "unknown" } },
  { value: "never", label: "Never connected", input: { state: "never" } },
  { value: "connected", label: "Connected", input: { state: "connected" } },
  { value: "beyond", label: "Not contracted", input: { place: "beyond" } },
  { value: "unmatched", label: "Type not settled", input: { place: "unmatched" } },
  { value: "not_ours", label: "Not to be watched", input: { place: "not_ours" } },
] as const;
export type DeviceChoice = (typeof deviceChoices)[number]["value"];

/** The actions for a device, depending on the user's rights. */
export type DeviceActions = (device: CoveredDevice) => ReactNode;

/** All devices, paged by the server: what each is, its state and since when. */
export function CoveredDevices({
  of,
  choice,
  onChoose,
  actions,
}: {
  of: CoverageOf;
  choice: DeviceChoice;
  onChoose: (choice: DeviceChoice) => void;
  actions?: DeviceActions;
}) {
  const { links, search, setSearch, sort, setSort } = useAskedByAddress(columns, "name");
  const narrowed = deviceChoices.find(({ value }) => value === choice)?.input;
  const name = readsBy[of.reader].devices;
  const asked = { search, sort, input: { ...inputOf(of), ...narrowed } };
  const list = useList(name, asked);
  const isNarrowed = choice !== "all" || search !== "";
  return (
    <PanelSection title="Devices" hint="Each machine once, however many engines report it." level={2} bare>
      <Box mb="sm" className="chosen-on-paper">
        <ChoiceButtons label="Which devices" choices={deviceChoices} value={choice} onChange={onChoose} />
      </Box>
      <Group justify="space-between" mb="md" gap="sm" className="chosen-on-paper">
        <SearchBox key={links} label="Search devices" initial={search} onSearch={setSearch} />
        <Group gap="sm">
          <ListCount list={list} />
          {list.rows.length > 0 && (
            <ListExport
              name={name}
              format="csv"
              columns={columns}
              fileName={`devices-${choice}`}
              counted={list}
              {...asked}
            />
          )}
        </Group>
      </Group>
      <ListBody
        caption="Devices"
        list={list}
        sorting={{ order: sort, own: "name", onChange: setSort }}
        columns={columns.filter(({ fileOnly }) => !fileOnly)}
        empty={isNarrowed ? "No such device" : "No device is known yet"}
        emptyHint={
          isNarrowed
            ? "Try other words, or another filter above."
            : "Devices appear here as soon as an engine reports them, with when they last sent anything."
        }
        {...(actions && { actions, actionsLabel: "Settle" })}
      />
    </PanelSection>
  );
}

const tones: Record<CoverageState, Tone> = { connected: "good", silent: "bad", never: "warning", unknown: "neutral" };

const columns: readonly Column<CoveredDevice, CoveredDeviceSort>[] = [
  {
    label: "Device",
    cell: ({ name, address, os }) => (
      <>
        <Text fw={600} fz="inherit" style={{ overflowWrap: "anywhere" }}>
          <bdi>{name}</bdi>
        </Text>
        <Text fz="xs" c="var(--site-muted)" style={{ overflowWrap: "anywhere" }}>
          {[address, os].filter(Boolean).join(", ")}
        </Text>
      </>
    ),
    text: ({ name }) => name,
    sort: "name",
  },
  { label: "Address", cell: ({ address }) => address, text: ({ address }) => address, fileOnly: true },
  { label: "System", cell: ({ os }) => os, text: ({ os }) => os, fileOnly: true },
  {
    label: "Type",
    cell: ({ deviceType, place }) => (
      <>
        {deviceType ?? "–"}
        <Text fz="xs" c="var(--site-muted)">
          {places[place]}
        </Text>
      </>
    ),
    text: ({ deviceType }) => deviceType ?? "",
    sort: "deviceType",
  },
  { label: "Counts as", cell: ({ place }) => places[place], text: ({ place }) => places[place], fileOnly: true },
  {
    label: "State",
    cell: ({ state, since, reason }) => (
      <>
        <StateBadge tone={tones[state]}>{coverageStates[state]}</StateBadge>
        {state !== "connected" && (
          <Text fz="xs" c="var(--site-muted)" mt={4}>
            {since ? `since ${showTime(since)}` : reason === "no_events" ? "for more than a day" : ""}
          </Text>
        )}
      </>
    ),
    text: ({ state }) => coverageStates[state],
  },
  {
    label: "Since",
    cell: ({ since }) => since,
    text: ({ since }) => since ?? "",
    fileOnly: true,
  },
  {
    label: "Why",
    cell: ({ reason }) => reason && coverageReasons[reason].says,
    text: ({ reason }) => (reason ? coverageReasons[reason].says : ""),
    fileOnly: true,
  },
  {
    label: "Last event",
    cell: ({ name, lastEventAt, lastSeenAt, engine, silenceMinutes, hasOwnLimit, link }) => (
      <>
        {lastEventAt ? showTime(lastEventAt) : "–"}
        <Text fz="xs" c="var(--site-muted)">
          <EngineLink to={link} about={name}>
            {engineKinds[engine].name}
          </EngineLink>
          {lastSeenAt && `, seen ${showTime(lastSeenAt)}`}
          {hasOwnLimit && `, silent after ${showMinutes(silenceMinutes)}`}
        </Text>
      </>
    ),
    text: ({ lastEventAt }) => lastEventAt ?? "",
  },
  {
    label: "Last seen",
    cell: ({ lastSeenAt }) => lastSeenAt,
    text: ({ lastSeenAt }) => lastSeenAt ?? "",
    fileOnly: true,
  },
];
