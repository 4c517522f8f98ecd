import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { limits } from "../../contract/limits.ts";
import type { Country } from "./calling-codes.ts";
import { findNumberPlan } from "./number-plans.ts";
import "../styles-portal.css";

/** The country of a phone number, searched by name or calling code; opens as it appears. */
export default function CountrySelect({
  label,
  countries,
  country,
  onChoose,
}: {
  label: string;
  countries: readonly Country[];
  /** Code of the chosen one. */
  country: string;
  onChoose: (country: Country) => void;
}) {
  // The name from the start: it is there to be marked, and typed over, when the field takes the focus.
  const [typed, setTyped] = useState(() => countries.find(({ code }) => code === country)?.name ?? "");
  const [searched] = useDebouncedValue(typed, limits.phoneCountrySearchMs);
  return (
    <Select
      autoFocus
      defaultDropdownOpened
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
      // The list itself scrolls, which a reader of the screen knows how to move through.
      withScrollArea={false}
      styles={{ options: { maxHeight: 260, overflowY: "auto" } }}
      onChange={(code) => {
        const picked = countries.find((entry) => entry.code === code);
        if (picked) onChoose({ ...picked, plan: findNumberPlan(picked.callingCode) });
      }}
    />
  );
}

/** The countries to choose from: all of them until something else than the chosen one's name is typed. */
function matching(countries: readonly Country[], chosen: string, typed: string, searched: string): readonly Country[] {
  const wanted = searched.trim().toLowerCase();
  if (wanted === "" || countries.some(({ code, name }) => code === chosen && (name === typed || name === searched)))
    return countries;
  const fitting = countries.filter(({ name, callingCode }) => `${name} +${callingCode}`.toLowerCase().includes(wanted));
  // The chosen one stays among them, or its name would vanish from the field.
  return fitting.some(({ code }) => code === chosen)
    ? fitting
    : [...fitting, ...countries.filter(({ code }) => code === chosen)];
}
