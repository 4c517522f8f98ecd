import { Accordion, Badge, Button, Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { customService } from "../../contract/devices.ts";
import type { Catalogue } from "../../contract/rates.ts";
import { areaOf } from "../../contract/roles.ts";
import { call } from "../api.ts";
import { useSession } from "../session.ts";
import { showRupees } from "../components/display.ts";
import { CustomDevice } from "./custom-device.tsx";
import { DeviceRow } from "./device-row.tsx";
import classes from "./estimator.module.css";
import { PricePanel, usePrice } from "./price-panel.tsx";
import { QuoteForm } from "./quote-form.tsx";
import {
  countDevices,
  type Draft,
  emptyForm,
  type NamedDevice,
  numberOf,
  partSelection,
  restoreDraft,
  saveDraft,
  type Selection,
  setDevice,
} from "./selection.ts";
import { useCatalogue } from "./use-catalogue.ts";

/** Counts devices, shows their price as they change, and sends the estimate. */
export function Estimator() {
  const [{ selection, form }, setDraft] = useDraft();
  const { catalogue, isLive } = useCatalogue();
  const { offered, gone } = useMemo(() => partSelection(catalogue, selection), [catalogue, selection]);
  const asked = useMemo(() => offered.map(({ group: _group, name: _name, ...device }) => device), [offered]);
  const price = usePrice(asked);
  const profile = useCustomerProfile();
  const change = useCallback(
    (service: string, deviceType: string, number: number) =>
      setDraft((draft) => ({ ...draft, selection: setDevice(draft.selection, { service, deviceType, number }) })),
    [setDraft],
  );
  return (
    <div className={classes.columns}>
      <div className={classes.groups}>
        <Groups catalogue={catalogue} offered={offered} onChange={change} />
      </div>
      <div className={classes.aside}>
        <PricePanel offered={offered} gone={isLive ? gone : none} price={price} onRemove={change} />
      </div>
      <div className={classes.form}>
        <QuoteForm
          selection={asked}
          values={form}
          onChange={(values) => setDraft((draft) => ({ ...draft, form: values }))}
          profile={profile}
          onSent={() => setDraft((draft) => ({ ...draft, form: emptyForm }))}
        />
      </div>
      {offered.length > 0 && (
        <div className={classes.bar}>
          <div>
            <Text fz="sm" c="var(--site-muted)">
              {countDevices(offered)} devices, a year
            </Text>
            <Text fw={700} fz="lg" className="tabular">
              {price.data ? showRupees(price.data.total) : "…"}
            </Text>
          </div>
          <Button component="a" href="#selected-devices" variant="light" size="md">
            Review
          </Button>
        </div>
      )}
    </div>
  );
}

const none: Selection = [];

function Groups({
  catalogue,
  offered,
  onChange,
}: {
  catalogue: Catalogue;
  offered: readonly NamedDevice[];
  onChange: (service: string, deviceType: string, number: number) => void;
}) {
  return (
    <Accordion multiple defaultValue={["0"]} variant="separated" radius="lg" order={2}>
      {catalogue.groups.map(({ name: group, types }, index) => (
        <Accordion.Item key={group} value={`${index}`} bg="var(--site-surface)">
          <GroupHeading title={group} number={countDevices(offered.filter((entry) => entry.group === group))} />
          <Accordion.Panel>
            {types.map(({ service, deviceType, name }) => (
              <DeviceRow
                key={`${service}|${deviceType}`}
                service={service}
                deviceType={deviceType}
                name={name}
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
          <CustomDevice onAdd={onChange} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

function GroupHeading({ title, number }: { title: string; number: number }) {
  return (
    <Accordion.Control>
      <Group component="span" justify="space-between" wrap="nowrap" pe="sm">
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

/** The draft, taken up again after a reload or a sign-in, and kept as it changes. */
function useDraft() {
  const [draft, setDraft] = useState<Draft>({ selection: [], form: emptyForm });
  const restored = useRef(false);
  useEffect(() => {
    const kept = restoreDraft();
    if (kept) setDraft(kept);
    restored.current = true;
  }, []);
  useEffect(() => {
    // The first run comes before the restored draft is there, and must not overwrite it.
    if (restored.current && draft !== empty.current) saveDraft(draft);
  }, [draft]);
  const empty = useRef(draft);
  return [draft, setDraft] as const;
}

/** The profile of a signed-in customer; partners and administrators ask for others, as visitors do. */
function useCustomerProfile() {
  const { role, email } = useSession();
  const isCustomer = role !== null && areaOf(role) === "user";
  const { data } = useQuery({
    queryKey: ["user/me", email],
    queryFn: ({ signal }) => call("user/me", {}, signal),
    enabled: isCustomer,
  });
  return isCustomer ? (data?.user ?? null) : null;
}
