import { Accordion, Badge, Group, Text } from "@mantine/core";
import { customService, keyOf } from "../../contract/devices.ts";
import type { Catalogue } from "../../contract/rates.ts";
import { CustomDevice } from "./custom-device.tsx";
import { DeviceRow } from "./device-row.tsx";
import { countDevices, type NamedDevice, numberOf } from "./selection.ts";
import classes from "./estimator.module.css";
import { useRates } from "./use-rates.ts";

/** All device types in their groups, with prices and numbers. */
export function DeviceGroups({
  catalogue,
  isLive,
  offered,
  onChange,
}: {
  catalogue: Catalogue;
  /** Whether it is the catalogue in force, not the one that the page was built with. */
  isLive: boolean;
  offered: readonly NamedDevice[];
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const rates = useRates(catalogue, isLive);
  return (
    <div className={classes.types}>
      <Accordion multiple defaultValue={["0"]} variant="separated" radius="lg" order={2}>
        {catalogue.groups.map(({ name: group, types }, index) => (
          <Accordion.Item key={group} value={`${index}`} bg="var(--site-surface)">
            <GroupHeading title={group} number={countDevices(offered.filter((entry) => entry.group === group))} />
            {/* Kept mounted, a panel would hydrate later than the page and lose what was typed by then. */}
            <Accordion.Panel keepMounted={false}>
              {types.map(({ service, deviceType, name }) => (
                <DeviceRow
                  key={keyOf({ service, deviceType })}
                  service={service}
                  deviceType={deviceType}
                  name={name}
                  rate={rates?.shown.get(keyOf({ service, deviceType }))}
                  number={numberOf(offered, service, deviceType)}
                  onChange={onChange}
                />
              ))}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
        <Accordion.Item value={customService} bg="var(--site-surface)">
          <GroupHeading
            title="Custom Devices"
            number={countDevices(offered.filter((entry) => entry.service === customService))}
          />
          <Accordion.Panel>
            <CustomDevice selection={offered} onChange={onChange} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <Text fz="sm" c="var(--site-muted)" mt="md">
        Prices are before volume discount and GST.
        {rates?.sample && " Sample rates: they are for demonstration and are not an offer."}
      </Text>
    </div>
  );
}

function GroupHeading({ title, number }: { title: string; number: number }) {
  return (
    <Accordion.Control>
      <Group component="span" justify="space-between" gap="4px 16px" pe="sm">
        <Text component="span" fw={650} fz="lg">
          {title}
        </Text>
        {number > 0 && (
          <Badge component="span" variant="light" size="lg" radius="sm" className="tabular">
            {number}
          </Badge>
        )}
      </Group>
    </Accordion.Control>
  );
}
