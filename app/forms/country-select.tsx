import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { Country } from "./calling-codes.ts";
import { findNumberPlan } from "./number-plans.ts";
import "../styles-portal.css";

/** The country of a phone number, searched by name or calling code; opens when it mounts. */
export default function CountrySelect({
  label,
  countries,
  country,
  onChoose,
}: {
  label: string;
  countries: readonly Country[];
  /** The code of the chosen country. */
  country: string;
  onChoose: (country: Country) => void;
}) {
  // Shows the name from the start, so that it is selected on focus and can be typed over.
  const [typed, setTyped] = useState(() => countries.find(({ code }) => code === country)?.name ?? "");
  const [searched] = useDebouncedValue(typed, limits.pickerSearchMs);
  return (
    <Select
      autoFocus
      aria-label={label}
      flex="1 1 128px"
      size="md"
      data={matching(countries, country, typed, searched).map(({ code, name }) => ({ value: code, label: name }))}
      value={country}
      filter={({ options }) => options}
      renderOption={({ option }) =>
        `${option.label} +${countries.find((entry) => entry.code === option.value)?.callingCode}`
      }
      searchable
      searchValue={typed}
      onSearchChange={setTyped}
      onFocus={(event) => event.currentTarget.select()}
      nothingFoundMessage="No such country"
      allowDeselect={false}
      comboboxProps={{ width: 280, position: "bottom-start", withinPortal: false }}
      // The list itself scrolls, as screen readers can navigate that.
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
      onChange={(code) => {
        const picked = countries.find((entry) => entry.code === code);
        if (picked) onChoose({ ...picked, plan: findNumberPlan(picked.callingCode) });
      }}
    />
  );
}

/** The matching countries; all of them until something other than the chosen country's name is typed. */
function matching(countries: readonly Country[], chosen: string, typed: string, searched: string): readonly Country[] {
  const wanted = searched.trim().toLowerCase();
  if (wanted === "" || countries.some(({ code, name }) => code === chosen && (name === typed || name === searched)))
    return countries;
  const fitting = countries.filter(({ name, callingCode }) => `${name} +${callingCode}`.toLowerCase().includes(wanted));
  // Keeps the chosen country in the list, or its name would vanish from the field.
  return fitting.some(({ code }) => code === chosen)
    ? fitting
    : [...fitting, ...countries.filter(({ code }) => code === chosen)];
}
