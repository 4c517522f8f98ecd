import { ActionIcon, Alert, Badge, Button, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf } from "../../contract/devices.ts";
import { limits } from "../../contract/limits.ts";
import { ApiError, call } from "../api.ts";
import { SumLine, TaxLines } from "../billing/tax-lines.tsx";
import { TaxNotes } from "../billing/tax-notes.tsx";
import { showRupees } from "../components/display.ts";
import classes from "./estimator.module.css";
import { countDevices, type NamedDevice, type Selection } from "./selection.ts";
import { catalogueKey } from "./use-catalogue.ts";

/** The price of the selection, fetched once changes pause; the previous price stays until the next one arrives. */
export function usePrice(selection: Selection) {
  const [settled] = useDebouncedValue(selection, limits.priceDebounceMs);
  const queries = useQueryClient();
  return useQuery({
    queryKey: ["estimator/price", settled],
    queryFn: ({ signal }) =>
      call("estimator/price", { selectedDevices: [...settled] }, signal).catch((error: unknown) => {
        // A type may have been retired while the page was open: the refetched catalogue says which.
        if (error instanceof ApiError && error.status === 422)
          void queries.invalidateQueries({ queryKey: catalogueKey });
        throw error;
      }),
    enabled: settled.length > 0,
    placeholderData: keepPreviousData,
  });
}

export function PricePanel({
  offered,
  gone,
  price,
  onRemove,
}: {
  offered: readonly NamedDevice[];
  gone: Selection;
  price: ReturnType<typeof usePrice>;
  onRemove: (service: string, deviceType: string, number: number) => void;
}) {
  return (
    <section className={classes.panel} id="selected-devices" aria-labelledby="selected-heading">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="lg" id="selected-heading">
          Selected devices
        </Title>
        <Badge variant="light" size="lg" radius="sm" className="tabular">
          {countDevices(offered)}
        </Badge>
      </Group>
      {gone.length > 0 && <NoLongerOffered gone={gone} onRemove={onRemove} />}
      {offered.length === 0 ? (
        <Text c="var(--site-muted)" className={classes.nothing ?? ""}>
          Nothing selected yet. Move a slider or type a number, and the price appears here.
        </Text>
      ) : (
        <>
          <SelectedTable offered={offered} onRemove={onRemove} />
          <PriceSummary price={price} />
        </>
      )}
    </section>
  );
}

/** Selected types that have been retired since. */
function NoLongerOffered({
  gone,
  onRemove,
}: {
  gone: Selection;
  onRemove: (service: string, deviceType: string, number: number) => void;
}) {
  return (
    <Alert color="orange" variant="light" role="status" mb="md">
      <Text fw={650}>No longer offered</Text>
      <Text fz="sm" mb="xs">
        <bdi>{gone.map(({ deviceType, number }) => `${deviceType} (${number})`).join(", ")}</bdi>. The price and your
        estimate leave this out. You can name it under Custom Devices instead.
      </Text>
      <Button
        variant="default"
        data-next="[data-next]"
        onClick={() => {
          for (const { service, deviceType } of gone) onRemove(service, deviceType, 0);
        }}
      >
        Remove from my selection
      </Button>
    </Alert>
  );
}

/** This many rows leave the price in view; the number of further ones is said below them. */
const rowsAtFirst = 6;

function SelectedTable({
  offered,
  onRemove,
}: {
  offered: readonly NamedDevice[];
  onRemove: (service: string, deviceType: string, number: number) => void;
}) {
  const [all, setAll] = useState(false);
  const shown = all ? offered : offered.slice(0, rowsAtFirst);
  return (
    <>
      <table className={classes.selected} aria-label="Selected devices">
        <thead>
          <tr>
            <th scope="col">Service and device type</th>
            <th scope="col" className={classes.number}>
              Number
            </th>
            <th scope="col">
              <span style={{ position: "absolute", clipPath: "inset(50%)" }}>Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ service, deviceType, group, name, number }) => (
            <tr key={keyOf({ service, deviceType })}>
              <td>
                <Text fz="xs" c="var(--site-muted)">
                  {group}
                </Text>
                <bdi>{name}</bdi>
              </td>
              <td className={classes.number}>{number}</td>
              <td className={classes.number}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size={36}
                  aria-label={`Remove ${name}`}
                  data-next="[data-next]"
                  onClick={() => onRemove(service, deviceType, 0)}
                >
                  <IconTrash size={17} aria-hidden />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {offered.length > rowsAtFirst && (
        <Button variant="subtle" mt={4} aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show ${offered.length - rowsAtFirst} more`}
        </Button>
      )}
    </>
  );
}

function PriceSummary({ price }: { price: ReturnType<typeof usePrice> }) {
  if (price.isError)
    return (
      <Stack gap="xs" mt="md" role="alert">
        <Text c="red">We can't get the price right now. {price.error.message}</Text>
        <Button variant="default" onClick={() => void price.refetch()}>
          Try again
        </Button>
      </Stack>
    );
  if (!price.data) return <Skeleton h={150} mt="md" role="status" aria-label="Pricing" />;
  const { data } = price;
  return (
    <Stack
      gap={6}
      mt="md"
      pt="md"
      style={{ borderBlockStart: "1px solid var(--site-border)", opacity: price.isPlaceholderData ? 0.55 : 1 }}
    >
      <SumLine name="Devices" amount={showRupees(data.subtotal)} />
      {data.discountPercent > 0 && (
        <SumLine name={`Volume discount ${data.discountPercent}%`} amount={`−${showRupees(data.discount)}`} />
      )}
      <TaxLines tax={data.tax} />
      <Group justify="space-between" align="baseline" gap="0 var(--mantine-spacing-sm)" mt={6} aria-live="polite">
        <Text fw={650}>Total a year</Text>
        <Text fw={720} ms="auto" className={`tabular ${classes.yearly}`}>
          {showRupees(data.tax.total)}
        </Text>
      </Group>
      <TaxNotes tax={data.tax} />
      {data.sampleRates && (
        <Text fz="sm" c="var(--site-muted)">
          Sample rates: these prices are for demonstration and are not an offer.
        </Text>
      )}
      {data.lines.some((line) => line.subjectToConfirmation) && (
        <Text fz="sm" c="var(--site-muted)">
          Custom devices are subject to confirmation: we confirm their rates before you can buy.
        </Text>
      )}
    </Stack>
  );
}
