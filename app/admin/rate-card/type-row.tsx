import { ActionIcon, TextInput } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { memo } from "react";
import { limits } from "../../../contract/limits.ts";
import { showRupees } from "../../components/display.ts";
import { MenuButton } from "../../components/menu-button.tsx";
import { PriceInput } from "../../components/price-input.tsx";
import classes from "./rate-card.module.css";
import type { TypedType } from "./typed-card.ts";

export type Per = "year" | "month";

/** The type in the previous card; null for a new one. */
export interface Published {
  name: string;
  unit: string;
  yearly: string;
  group: string;
}

interface TypeRowProps {
  type: TypedType;
  per: Per;
  published: Published | null;
  /** Name and id of each group that it can be moved to, as JSON: a new array each time would render every row again. */
  groups: string;
  groupName: string;
  problem: { name?: string | undefined; unit?: string | undefined; yearly?: string | undefined };
  overruled: string | undefined;
  readOnly: boolean;
  onChange: (id: string, change: Partial<TypedType>) => void;
  onRemove: (id: string) => void;
}

/** One device type: its name, unit and price, and a menu with what else can be done. */
export const TypeRow = memo(function TypeRow(props: TypeRowProps) {
  const { type, per, published, problem, readOnly, onChange } = props;
  const called = published?.name ?? (type.name || "the new type");
  const notes = notesOf(props);
  return (
    <div className={classes.row} data-retired={type.retired || undefined}>
      <TextInput
        className={classes.name ?? ""}
        aria-label={`Name of ${called}`}
        placeholder="For example Mainframe"
        maxLength={limits.deviceTypeLengthMax}
        value={type.name}
        error={problem.name}
        readOnly={readOnly}
        onChange={(event) => onChange(type.id, { name: event.currentTarget.value })}
      />
      <TextInput
        aria-label={`Unit of ${called}`}
        maxLength={limits.unitLengthMax}
        value={type.unit}
        error={problem.unit}
        readOnly={readOnly}
        onChange={(event) => onChange(type.id, { unit: event.currentTarget.value })}
      />
      <PeriodPrice
        label={`Price of ${called} a ${per}`}
        per={per}
        yearly={type.yearly}
        error={problem.yearly}
        readOnly={readOnly}
        onChange={(yearly) => onChange(type.id, { yearly })}
      />
      {!readOnly && <TypeMenu {...props} called={called} />}
      {notes.length > 0 && <p className={classes.note}>{notes.join(". ")}.</p>}
    </div>
  );
});

/** A yearly price that can be typed per year or per month. */
export function PeriodPrice({
  label,
  labelShown = false,
  per,
  yearly,
  error,
  readOnly,
  onChange,
}: {
  label: string;
  labelShown?: boolean;
  per: Per;
  yearly: string | number;
  error: string | undefined;
  readOnly: boolean;
  onChange: (yearly: string | number) => void;
}) {
  const shown = per === "month" && yearly !== "" ? Number(yearly) / 12 : yearly;
  return (
    <PriceInput
      {...(labelShown ? { label } : { "aria-label": label })}
      value={shown}
      error={error}
      readOnly={readOnly}
      onChange={(value) => {
        const rupees = Number(value);
        if (value === "" || Number.isNaN(rupees)) onChange("");
        else onChange(per === "month" ? Math.round(rupees * 100 * 12) / 100 : rupees);
      }}
    />
  );
}

function TypeMenu({ type, groups, called, published, onChange, onRemove }: TypeRowProps & { called: string }) {
  return (
    <MenuButton
      load={() => import("./type-menu-items.tsx")}
      menu={{ type, groups, isPublished: published !== null, onChange, onRemove }}
      button={
        <ActionIcon variant="subtle" color="gray" size={44} aria-label={`More for ${called}`}>
          <IconDots size={20} aria-hidden />
        </ActionIcon>
      }
    />
  );
}

/** How the row differs from the published card, and what somebody else saved where both changed. */
function notesOf({ type, published, groupName, per, overruled }: TypeRowProps): string[] {
  const yearly = type.yearly === "" ? null : Number(type.yearly);
  return [
    ...(type.retired ? ["Retired: not offered, kept for quotes and programs that name it"] : []),
    ...(published ? [] : ["New"]),
    ...(published && published.name !== type.name ? [`Published as ${published.name}`] : []),
    ...(published && published.unit !== type.unit ? [`Published unit: ${published.unit}`] : []),
    ...(published && yearly !== null && Number(published.yearly) !== yearly
      ? [`Published at ${showRupees(published.yearly)} a year`]
      : []),
    ...(published && published.group !== groupName ? [`Moved from ${published.group}`] : []),
    ...(per === "month" && yearly !== null ? [`${showRupees(yearly.toFixed(2))} a year`] : []),
    ...(overruled ? [`Meanwhile ${overruled}`] : []),
  ];
}
