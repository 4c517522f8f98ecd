import { Button, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { limits } from "../../../contract/limits.ts";
import { PanelSection } from "../../components/panel-section.tsx";
import classes from "./rate-card.module.css";
import { newId, type TypedCard } from "./typed-card.ts";
import { type Per, PeriodPrice } from "./type-row.tsx";
import type { TermName } from "./merge-cards.ts";
import type { CardEditor } from "./use-card-editor.ts";

interface TermsProps {
  editor: CardEditor;
  readOnly: boolean;
}

/** The terms that are not about one type: custom devices, GST, validity and volume discounts. */
export function CardTerms({ editor, per, readOnly }: TermsProps & { per: Per }) {
  const { typed, change, problems } = editor;
  const set = (part: Partial<TypedCard>) => change((card) => ({ ...card, ...part }));
  return (
    <>
      <PanelSection
        level={2}
        title="Custom devices"
        hint="The default for devices typed in by hand, until somebody confirms their rate."
      >
        <div className={classes.terms}>
          <TextInput
            label="Unit of a custom device"
            maxLength={limits.unitLengthMax}
            value={typed.custom.unit}
            error={problems["custom.unit"]}
            readOnly={readOnly}
            onChange={(event) => set({ custom: { ...typed.custom, unit: event.currentTarget.value } })}
          />
          <PeriodPrice
            labelShown
            label={`Price of a custom device a ${per}`}
            per={per}
            yearly={typed.custom.yearly}
            error={problems["custom.yearly"]}
            readOnly={readOnly}
            onChange={(yearly) => set({ custom: { ...typed.custom, yearly } })}
          />
          <Meanwhile editor={editor} of={["custom.unit", "custom.yearly"]} />
        </div>
      </PanelSection>
      <PanelSection level={2} title="Tax and validity" hint="Quotes keep what was in force when they were made.">
        <div className={classes.terms}>
          <NumberInput
            label="GST"
            suffix="%"
            decimalScale={1}
            allowNegative={false}
            hideControls
            value={typed.gstPercent}
            error={problems["gstPercent"]}
            readOnly={readOnly}
            onChange={(gstPercent) => set({ gstPercent })}
          />
          <NumberInput
            label="Quotes are valid for"
            suffix=" days"
            allowDecimal={false}
            allowNegative={false}
            hideControls
            value={typed.quoteValidDays}
            error={problems["quoteValidDays"]}
            readOnly={readOnly}
            onChange={(quoteValidDays) => set({ quoteValidDays })}
          />
          <Meanwhile editor={editor} of={["gstPercent", "quoteValidDays"]} />
        </div>
      </PanelSection>
      <Tiers editor={editor} readOnly={readOnly} />
    </>
  );
}

/** Says what somebody else saved in fields that both changed; the typed value stays. */
function Meanwhile({ editor: { overruled }, of }: { editor: CardEditor; of: readonly TermName[] }) {
  const said = of.flatMap((name) => overruled[name] ?? []);
  return said.length > 0 && <p className={classes.note}>{said.map((each) => `Meanwhile ${each}`).join(". ")}.</p>;
}

function Tiers({ editor, readOnly }: TermsProps) {
  const { typed, change, problems } = editor;
  const setTiers = (tiers: TypedCard["tiers"]) => change((card) => ({ ...card, tiers }));
  const field = (index: number, name: "fromDevices" | "discountPercent") => ({
    value: typed.tiers[index]?.[name] ?? "",
    error: problems[`tiers.${index}.${name}`],
    readOnly,
    allowNegative: false,
    hideControls: true,
    onChange: (value: string | number) =>
      setTiers(typed.tiers.map((tier, place) => (place === index ? { ...tier, [name]: value } : tier))),
  });
  return (
    <PanelSection
      level={2}
      title="Volume discount"
      hint="From this many devices in total, the discount applies to the whole quote."
      aside={
        !readOnly && (
          <Button
            variant="default"
            leftSection={<IconPlus size={18} aria-hidden />}
            onClick={() => setTiers([...typed.tiers, { id: newId(), fromDevices: "", discountPercent: "" }])}
          >
            Add tier
          </Button>
        )
      }
    >
      <Stack gap="sm">
        <Meanwhile editor={editor} of={["tiers"]} />
        {problems["tiers"] && (
          <Text c="var(--mantine-color-error)" role="alert">
            {problems["tiers"]}
          </Text>
        )}
        {typed.tiers.length === 0 && <Text c="var(--site-muted)">No discount for volume.</Text>}
        {typed.tiers.map(({ id }, index) => (
          <div key={id} className={classes.tier}>
            <NumberInput
              label={`Tier ${index + 1}: from devices`}
              allowDecimal={false}
              thousandSeparator=","
              thousandsGroupStyle="lakh"
              {...field(index, "fromDevices")}
            />
            <NumberInput
              label={`Tier ${index + 1}: discount`}
              suffix="%"
              decimalScale={2}
              {...field(index, "discountPercent")}
            />
            {!readOnly && (
              <Button
                variant="default"
                size="md"
                aria-label={`Remove tier ${index + 1}`}
                onClick={() => setTiers(typed.tiers.filter((tier) => tier.id !== id))}
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
