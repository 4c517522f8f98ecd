import { Alert, Button, Checkbox, Group, NumberInput, Stack, Text } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { customService } from "../../contract/devices.ts";
import { type RateCard, RateCardUpdate } from "../../contract/quotes.ts";
import { ApiError, call } from "../api.ts";
import { showRupees } from "../components/display.ts";
import { fieldErrors } from "../forms/form-errors.ts";
import { PanelSection } from "../components/panel-section.tsx";
import { toast } from "../toast.ts";
import classes from "./rate-card-form.module.css";

interface Values {
  rates: { service: string; deviceType: string; unit: string; yearly: string | number }[];
  tiers: { fromDevices: string | number; discountPercent: string | number }[];
  isSample: boolean;
}
type Form = UseFormReturnType<Values>;

/** Edits a whole rate card. When another one came into force meanwhile, what was typed stays beside it. */
export function RateCardForm({ card, readOnly }: { card: RateCard; readOnly: boolean }) {
  const queries = useQueryClient();
  const form: Form = useForm<Values>({
    initialValues: { rates: card.rates, tiers: card.tiers, isSample: card.isSample },
    validate: (values) => ({ ...fieldErrors(RateCardUpdate)(onTheWire(card.id, values)), ...missing(values) }),
  });
  const reload = () => queries.invalidateQueries({ queryKey: ["admin/rate-card"] });
  const save = useMutation({
    mutationFn: (values: Values) => call("admin/updateRateCard", onTheWire(card.id, values)),
    onSuccess: async ({ message }) => {
      form.resetDirty();
      await reload();
      toast.success(message);
    },
    onError: (error) => {
      if (error instanceof ApiError) form.setErrors(error.fields);
    },
  });
  const conflicting = save.error instanceof ApiError && save.error.status === 409;
  const services = [...new Set(card.rates.map(({ service }) => service))];
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((values) => {
        if (!save.isPending) save.mutate(values);
      })}
    >
      <Stack gap="xl">
        {services.map((service) => (
          <PanelSection key={service} level={2} title={service}>
            <div className={classes.rates}>
              {card.rates.map((rate, index) =>
                rate.service === service ? (
                  <RateInput key={rate.deviceType} form={form} rate={rate} index={index} readOnly={readOnly} />
                ) : null,
              )}
            </div>
          </PanelSection>
        ))}
        <Tiers form={form} readOnly={readOnly} />
        {!readOnly && (
          <>
            <Checkbox
              label="Sample prices: quotes say that they are examples"
              size="md"
              {...form.getInputProps("isSample", { type: "checkbox" })}
            />
            {save.error && (
              <Alert color="red" role="alert">
                <Group justify="space-between" gap="sm">
                  <Text>{save.error.message}</Text>
                  {conflicting && (
                    <Button variant="default" onClick={() => void reload().then(() => save.reset())}>
                      Load the current state
                    </Button>
                  )}
                </Group>
              </Alert>
            )}
            {typeof form.errors["rates"] === "string" && <Alert color="red">{form.errors["rates"]}</Alert>}
            <Group>
              <Button type="submit" size="md" loading={save.isPending} disabled={!form.isDirty()}>
                Put in force
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </form>
  );
}

function RateInput({
  form,
  rate,
  index,
  readOnly,
}: {
  form: Form;
  rate: RateCard["rates"][number];
  index: number;
  readOnly: boolean;
}) {
  const typed = form.values.rates[index]?.yearly;
  const changed = Number(typed) !== Number(rate.yearly);
  return (
    <NumberInput
      label={
        rate.deviceType === "*" ? `Any ${rate.service === customService ? "custom" : "other"} device` : rate.deviceType
      }
      description={changed ? `in force: ${showRupees(rate.yearly)}` : `per ${rate.unit} and year`}
      prefix="₹"
      thousandSeparator=","
      thousandsGroupStyle="lakh"
      decimalScale={2}
      fixedDecimalScale
      allowNegative={false}
      hideControls
      readOnly={readOnly}
      {...form.getInputProps(`rates.${index}.yearly`)}
    />
  );
}

function Tiers({ form, readOnly }: { form: Form; readOnly: boolean }) {
  const { tiers } = form.values;
  const problem = form.errors["tiers"];
  return (
    <PanelSection
      level={2}
      title="Volume discount"
      hint="From this many devices in all, this discount on the whole."
      aside={
        !readOnly && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => form.insertListItem("tiers", { fromDevices: "", discountPercent: "" })}
          >
            Add tier
          </Button>
        )
      }
    >
      <Stack gap="sm">
        {problem && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problem}
          </Text>
        )}
        {tiers.length === 0 && <Text c="var(--site-muted)">No discount for volume.</Text>}
        {tiers.map((_, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a tier is known by its place alone
          <div key={index} className={classes.tier}>
            <NumberInput
              label={`Tier ${index + 1}: from devices`}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=","
              thousandsGroupStyle="lakh"
              hideControls
              readOnly={readOnly}
              {...form.getInputProps(`tiers.${index}.fromDevices`)}
            />
            <NumberInput
              label={`Tier ${index + 1}: discount`}
              suffix="%"
              decimalScale={2}
              allowNegative={false}
              hideControls
              readOnly={readOnly}
              {...form.getInputProps(`tiers.${index}.discountPercent`)}
            />
            {!readOnly && (
              <Button
                variant="default"
                size="md"
                aria-label={`Remove tier ${index + 1}`}
                onClick={() => form.removeListItem("tiers", index)}
              >
                <IconTrash size={18} aria-hidden />
              </Button>
            )}
          </div>
        ))}
      </Stack>
    </PanelSection>
  );
}

/** A message for each number that is left empty. */
function missing({ rates, tiers }: Values): Record<string, string> {
  const empty = [
    ...rates.map(({ yearly }, index) => [`rates.${index}.yearly`, yearly] as const),
    ...tiers.flatMap((tier, index) => [
      [`tiers.${index}.fromDevices`, tier.fromDevices] as const,
      [`tiers.${index}.discountPercent`, tier.discountPercent] as const,
    ]),
  ].filter(([, typed]) => typed === "");
  return Object.fromEntries(empty.map(([name]) => [name, "Please enter a number"]));
}

/** As the server takes it: rupees as text, numbers as numbers. */
function onTheWire(id: string, { rates, tiers, isSample }: Values): RateCardUpdate {
  return {
    id,
    rates: rates.map((rate) => ({ ...rate, yearly: Number(rate.yearly).toFixed(2) })),
    tiers: tiers.map((tier) => ({
      fromDevices: Number(tier.fromDevices),
      discountPercent: Number(tier.discountPercent),
    })),
    isSample,
  };
}
