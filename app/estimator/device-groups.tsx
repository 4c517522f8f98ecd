import { Accordion, Badge, Group, Text } from "@mantine/core";
import { customService, deviceCatalogue } from "../../contract/devices.ts";
import { CustomDevice } from "./custom-device.tsx";
import { DeviceRow } from "./device-row.tsx";
import { countDevices, numberOf, type Selection } from "./selection.ts";
import { rateKey, useRates } from "./use-rates.ts";

/** Every device type in its group, with its price and its number. */
export function DeviceGroups({
  selection,
  onChange,
}: {
  selection: Selection;
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  const rates = useRates();
  return (
    <>
      <Accordion multiple defaultValue={[deviceCatalogue[0].service]} variant="separated" radius="lg" order={2}>
        {deviceCatalogue.map(({ service, deviceTypes }) => (
          <Accordion.Item key={service} value={service} bg="var(--site-surface)">
            <GroupHeading title={service} number={countOf(selection, service)} />
            {/* Kept, a panel would take up what the server has rendered later than the page, and lose what was typed. */}
            <Accordion.Panel keepMounted={false}>
              {deviceTypes.map((deviceType) => (
                <DeviceRow
                  key={deviceType}
                  service={service}
                  deviceType={deviceType}
                  rate={rates?.shown.get(rateKey(service, deviceType))}
                  number={numberOf(selection, service, deviceType)}
                  onChange={onChange}
                />
              ))}
            </Accordion.Panel>
          </Accordion.Item>
        ))}
        <Accordion.Item value={customService} bg="var(--site-surface)">
          <GroupHeading title="Custom Devices" number={countOf(selection, customService)} />
          <Accordion.Panel>
            <CustomDevice selection={selection} onChange={onChange} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
      <Text fz="sm" c="var(--site-muted)" mt="md">
        Prices are before volume discount and GST.
        {rates?.sample && " Sample rates: they are for demonstration and are not an offer."}
      </Text>
    </>
  );
}

const countOf = (selection: Selection, service: string) =>
  countDevices(selection.filter((entry) => entry.service === service));

function GroupHeading({ title, number }: { title: string; number: number }) {
  return (
    <Accordion.Control>
      <Group justify="space-between" wrap="nowrap" pe="sm">
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
