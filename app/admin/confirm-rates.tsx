import { Button, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { keyOf } from "../../contract/devices.ts";
import { messages } from "../../contract/messages.ts";
import { paiseFrom, rupees } from "../../contract/money.ts";
import { priceOfDays } from "../../contract/proration.ts";
import { type QuoteRates, RatesConfirmation } from "../../contract/quotes.ts";
import { type Totals, totalsOf } from "../../contract/totals.ts";
import { ApiError, call } from "../api.ts";
import { refreshContracts } from "../contracts/contract-readers.ts";
import { startInFirstField } from "../forms/first-field.ts";
import { fieldErrors, showServerErrors, submitting } from "../forms/form-errors.ts";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { NotSaved } from "../components/not-saved.tsx";
import { Facts, PanelSection } from "../components/panel-section.tsx";
import { useKeepUnsaved } from "../components/use-keep-unsaved.ts";
import { toast } from "../toast.ts";
import { refreshLeads } from "./leads/use-leads.ts";
import { RateInputs, type RateValues } from "./rate-inputs.tsx";
import { totalOf, TotalsBeforeAndAfter } from "./totals-before-and-after.tsx";
import { heldWhileSent } from "../forms/held-while-sent.ts";

/** The lines of a quote that wait for their rates; an administrator confirms them, a child account only reads. */
export function ConfirmRates({
  quoteId,
  readOnly,
  onDirty,
  onDone,
}: {
  quoteId: string;
  readOnly: boolean;
  onDirty: (isDirty: boolean) => void;
  onDone: () => void;
}) {
  const rates = useQuery({
    queryKey: ["admin/getQuoteRates", quoteId],
    queryFn: ({ signal }) => call("admin/getQuoteRates", { quote_id: quoteId }, signal),
    // A refetch must not change what is being typed.
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  if (rates.isPending) return <ListLoading rows={3} />;
  if (rates.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void rates.refetch()} />;
  const { number, organization_name, user_email } = rates.data;
  const isOpen = rates.data.price.lines.some((line) => line.subjectToConfirmation);
  return (
    <Stack gap="xl">
      <PanelSection title="Quote">
        <Facts
          facts={[
            ["Number", number],
            ["Organization", organization_name],
            ["Email", user_email],
          ]}
        />
      </PanelSection>
      {isOpen ? (
        <RatesForm key={rates.data.revision} quote={rates.data} readOnly={readOnly} onDirty={onDirty} onDone={onDone} />
      ) : (
        <PanelSection title="Rates to confirm">
          <Text>Nothing is left to confirm: the rates of this quote are final.</Text>
        </PanelSection>
      )}
    </Stack>
  );
}

function RatesForm({
  quote,
  readOnly,
  onDirty,
  onDone,
}: {
  quote: QuoteRates;
  readOnly: boolean;
  onDirty: (isDirty: boolean) => void;
  onDone: () => void;
}) {
  const queries = useQueryClient();
  const open = quote.price.lines.filter((line) => line.subjectToConfirmation);
  const isTyped = ({ rates }: RateValues) => rates.some(({ yearly }, place) => wireRate(yearly) !== open[place]?.rate);
  const form = useForm<RateValues>({
    initialValues: { rates: open.map(({ service, deviceType, rate }) => ({ service, deviceType, yearly: rate })) },
    onValuesChange: (values) => onDirty(isTyped(values)),
    validate: (values) => ({ ...fieldErrors(RatesConfirmation)(onTheWire(quote, values)), ...missing(values) }),
  });
  // Here and not in the panel: a router asks only the last blocker on the page, and a closed panel has nothing to ask.
  useKeepUnsaved(() => isTyped(form.values), "about these rates");
  useEffect(() => () => onDirty(false), [onDirty]);
  const save = useMutation({
    mutationFn: (values: RateValues) => call("admin/confirmQuoteRates", onTheWire(quote, values)),
    onSuccess: async ({ message }) => {
      toast.success(message);
      onDone();
      await Promise.all([refreshLeads(queries), refreshContracts(queries)]);
      await queries.invalidateQueries({ queryKey: ["admin/getQuoteRates", quote.quote_id] });
    },
    onError: (error) => error instanceof ApiError && showServerErrors(form, error),
  });
  return (
    <form
      noValidate
      ref={startInFirstField}
      {...heldWhileSent(save.isPending)}
      onSubmit={submitting(form, (values) => {
        if (!save.isPending) save.mutate(values);
      })}
    >
      <Stack gap="xl">
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="xl">
          <PanelSection
            title="Rates to confirm"
            hint="Devices that are not on the rate card. They have its default rate until somebody confirms theirs."
          >
            <RateInputs form={form} lines={open} readOnly={readOnly} />
          </PanelSection>
          <PanelSection
            title="What it comes to"
            hint={`For ${quote.part_of_year ? `${quote.part_of_year.days} of ${quote.part_of_year.days_of_year} days` : "one year"}. The other devices and the discount stay as quoted.`}
          >
            <TotalsBeforeAndAfter
              before={quote.price}
              after={totalOf(totalsAt(quote, form.values))}
              columns={["As proposed", "At these rates"]}
              {...(quote.part_of_year && { total: "Total" })}
            />
          </PanelSection>
        </SimpleGrid>
        {save.error && (
          <NotSaved
            error={save.error}
            says={`${messages.ratesFailed} ${save.error.message}`}
            onLoad={() => {
              save.reset();
              void queries.invalidateQueries({ queryKey: ["admin/getQuoteRates", quote.quote_id] });
            }}
          />
        )}
        {!readOnly && <Confirm isPending={save.isPending} validDays={quote.valid_days} />}
      </Stack>
    </form>
  );
}

const Confirm = ({ isPending, validDays }: { isPending: boolean; validDays: number }) => (
  <Group gap="md">
    <Button type="submit" size="md" loading={isPending}>
      Confirm rates
    </Button>
    <Text c="var(--site-muted)" maw={520}>
      The customer gets the new proposal by e-mail. It is valid for {validDays} days from today, and can be bought from
      then on.
    </Text>
  </Group>
);

/** An error message for each rate that is left empty. */
const missing = ({ rates }: RateValues) =>
  Object.fromEntries(
    rates.flatMap(({ yearly }, index) => (yearly === "" ? [[`rates.${index}.yearly`, "Please enter a number"]] : [])),
  );

const wireRate = (typed: string | number) => (typed === "" ? "" : Number(typed).toFixed(2));

/** A rate in paise; 0 while the text is not yet a number, such as a lone decimal point. */
function paiseTyped(typed: string | number): number {
  const paise = paiseFrom(wireRate(typed));
  return Number.isSafeInteger(paise) ? paise : 0;
}

/** The totals at the rates typed so far. */
function totalsAt({ price, part_of_year }: QuoteRates, { rates }: RateValues): Totals {
  const yearly = new Map(rates.map((rate) => [keyOf(rate), paiseTyped(rate.yearly)]));
  const lines = price.lines.map((line) => ({
    amountPaise: line.subjectToConfirmation
      ? amountAt(part_of_year, line.number, yearly.get(keyOf(line)) ?? 0)
      : paiseFrom(line.amount),
  }));
  return totalsOf(lines, {
    discountBasisPoints: Math.round(price.discountPercent * 100),
    gstBasisPoints: Math.round(price.gstPercent * 100),
  });
}

/** For a whole year, or for the part of a year for which devices are added to a contract. */
function amountAt(part: QuoteRates["part_of_year"], quantity: number, ratePaise: number): number {
  if (!part || !Number.isSafeInteger(ratePaise)) return ratePaise * quantity;
  const discountBasisPoints = Math.round(part.discount_percent * 100);
  return priceOfDays({ quantity, ratePaise, discountBasisPoints }, part.days, part.days_of_year);
}

/** The form as the server takes it: rupees as text. */
function onTheWire(quote: QuoteRates, values: RateValues): RatesConfirmation {
  return {
    quote_id: quote.quote_id,
    rates: values.rates.map((rate) => ({ ...rate, yearly: wireRate(rate.yearly) })),
    total_cost: rupees(totalsAt(quote, values).totalPaise),
  };
}
