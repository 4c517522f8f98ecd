import { Alert, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Addition } from "../../contract/contract-operations.ts";
import type { AdditionPrice, Contract } from "../../contract/contracts.ts";
import { formatCount } from "../../contract/format-count.ts";
import { writtenDay } from "../../contract/india-time.ts";
import { limits } from "../../contract/limits.ts";
import { daysAfter } from "../../contract/proration.ts";
import { call } from "../api.ts";
import { unbrokenTaxes } from "../billing/tax-lines.tsx";
import { Dialog } from "../components/dialog.tsx";
import { showRupees, showWrittenDay } from "../components/display.ts";
import { intoSight } from "../components/refusal.tsx";
import { Amount } from "../components/unbroken.tsx";
import { DeviceGroups } from "../estimator/device-groups.tsx";
import { countDevices, partSelection, type Selection, setDevice } from "../estimator/selection.ts";
import { useCatalogue } from "../estimator/use-catalogue.ts";
import { useKeptForm } from "../forms/use-kept-form.ts";
import { toast } from "../toast.ts";
import { addsBy, type ContractReader, refreshContracts } from "./contract-readers.ts";

export interface AddDevicesProps {
  contract: Pick<Contract, "id" | "number" | "starts_on" | "ends_on"> | null;
  reader: ContractReader;
  onClose: () => void;
}

/** Chooses devices to add to a contract, shows how their price comes about, and makes the quote. */
export default function AddDevices({ contract, reader, onClose }: AddDevicesProps) {
  return (
    <Dialog
      opened={contract !== null}
      onClose={onClose}
      title={contract ? `Add devices to ${contract.number}` : ""}
      size="xl"
    >
      {contract && <AddForm key={contract.id} contract={contract} reader={reader} onClose={onClose} />}
    </Dialog>
  );
}

function AddForm({
  contract,
  reader,
  onClose,
}: AddDevicesProps & { contract: NonNullable<AddDevicesProps["contract"]> }) {
  const queries = useQueryClient();
  const [today] = useState(() => writtenDay(new Date()));
  const first = contract.starts_on > today ? contract.starts_on : today;
  const typed: { selection: Selection; from: string } = { selection: [], from: first };
  const { form, idOf, leave } = useKeptForm(`devices for ${contract.id}`, typed, onClose);
  const { selection, from } = form.values;
  const { catalogue, isLive } = useCatalogue();
  const { offered } = partSelection(catalogue, selection);
  const asked = { contract_id: contract.id, selectedDevices: [...selection], from };
  const price = useAdditionPrice(reader, asked);
  const make = useMutation({
    mutationFn: (total: string) =>
      call(addsBy[reader].add, { ...asked, quote_id: idOf(form.values), total_cost: total }),
    onSuccess: async ({ message }) => {
      toast.success(message);
      await refreshContracts(queries);
      leave();
    },
    onError: () => void price.refetch(),
  });
  const change = (service: string, deviceType: string, number: number) =>
    form.setFieldValue("selection", (before) => setDevice(before, { service, deviceType, number }));
  const shown = selection.length > 0 && !price.isError ? price.data : undefined;
  const error = make.error ?? (selection.length > 0 ? price.error : null);
  return (
    <Stack gap="lg">
      <Text>
        What is added ends with the contract on {showWrittenDay(contract.ends_on)} and costs its part of the year, by
        days. The quote can be bought for {limits.coTermQuoteDays} days; its first day and its price stay.
      </Text>
      <TextInput
        label="First day"
        data-autofocus
        type="date"
        maw={220}
        min={first}
        max={[daysAfter(first, limits.coTermStartDaysAheadMax), contract.ends_on].toSorted()[0]}
        {...form.getInputProps("from")}
      />
      <DeviceGroups catalogue={catalogue} isLive={isLive} offered={offered} onChange={change} />
      {shown && <AdditionSum price={shown} />}
      {error && (
        <Alert ref={make.error ? intoSight : null} color="red" role="alert">
          {error.message}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" size="md" onClick={leave} disabled={make.isPending}>
          Cancel
        </Button>
        <Button
          size="md"
          loading={make.isPending}
          disabled={!shown || price.isPlaceholderData}
          onClick={() => shown && make.mutate(shown.total)}
        >
          Make the quote
        </Button>
      </Group>
      <Text role="status" fz="sm" c="var(--site-muted)">
        {selection.length === 0
          ? "Choose how many of which devices are added."
          : `${formatCount(countDevices(selection))} chosen`}
      </Text>
    </Stack>
  );
}

/** The price, refetched as devices are chosen. */
const useAdditionPrice = (reader: ContractReader, asked: Addition) =>
  useQuery({
    queryKey: [addsBy[reader].price, asked],
    queryFn: ({ signal }) => call(addsBy[reader].price, asked, signal),
    enabled: asked.selectedDevices.length > 0 && asked.from !== "",
    placeholderData: keepPreviousData,
    retry: false,
  });

/** How the price comes about, line by line. */
function AdditionSum({ price }: { price: AdditionPrice }) {
  const { from, to, days, days_of_year, discount_percent } = price;
  return (
    <section aria-label="Price">
      <Text fw={650} mb="xs">
        {showWrittenDay(from)} to {showWrittenDay(to)}: {days} of the {days_of_year} days of the contract’s year
      </Text>
      <Stack gap="xs">
        {price.lines.map((line) => (
          <Group key={`${line.service} ${line.deviceType}`} justify="space-between" gap="xs">
            <div style={{ minWidth: 0 }}>
              <Text>
                {line.number} × {line.deviceType}
              </Text>
              <Text fz="sm" c="var(--site-muted)">
                {line.number} × {showRupees(line.rate)} a year
                {discount_percent > 0 && `, less ${discount_percent}%`} ÷ {days_of_year} × {days} days
                {line.subjectToConfirmation && ", subject to confirmation"}
              </Text>
            </div>
            <Amount rupees={line.amount} />
          </Group>
        ))}
        <Group justify="space-between" gap="xs">
          <Text c="var(--site-muted)" fz="sm">
            {unbrokenTaxes(price.tax)}
          </Text>
          <Text fw={650}>
            Total <Amount rupees={price.tax.total} />
          </Text>
        </Group>
        {price.lines.some((line) => line.subjectToConfirmation) && (
          <Text fz="sm">
            What you typed in yourself stands at a default rate. We confirm its rate and send the proposal anew; it can
            be bought from then on.
          </Text>
        )}
        {price.sampleRates && (
          <Text fz="sm" c="var(--site-muted)">
            Sample rates: they are for demonstration and are not an offer.
          </Text>
        )}
      </Stack>
    </section>
  );
}
