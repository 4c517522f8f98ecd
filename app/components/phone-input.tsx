import { Group, Input, Select, Text, TextInput } from "@mantine/core";
import { useDebouncedValue, useId } from "@mantine/hooks";
import { type ReactNode, useMemo, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { listCountries } from "./calling-codes.ts";

const homeCountry = "IN";

/**
 * A phone number with its country, India at first. `value` is "+" with digits, at most 15, or empty.
 * The list of countries is searched by name or calling code.
 */
export function PhoneInput({
  label,
  value = "",
  onChange,
  error,
  readOnly,
  required,
}: {
  label: string;
  value?: string;
  onChange: (value: string) => void;
  error?: ReactNode;
  readOnly?: boolean;
  required?: boolean;
}) {
  const id = useId();
  const countries = useMemo(() => listCountries(), []);
  const [chosen, setChosen] = useState(homeCountry);
  const [typed, setTyped] = useState("");
  const [searched] = useDebouncedValue(typed, limits.phoneCountrySearchMs);
  const country = countryOf(value, chosen, countries) ?? chosen;
  const callingCode = countries.find((entry) => entry.code === country)?.callingCode ?? "";
  const national = value.replace(/\D/g, "").slice(callingCode.length);
  const matching = countries.filter(({ name, callingCode: code }) =>
    `${name} +${code}`.toLowerCase().includes(searched.trim().toLowerCase()),
  );
  const shown = matching.some((entry) => entry.code === country)
    ? matching
    : countries.filter((entry) => entry.code === country).concat(matching);
  const change = (code: string, digits: string) => {
    const rest = digits.replace(/\D/g, "").slice(0, limits.phoneDigitsMax - code.length);
    onChange(rest && `+${code}${rest}`);
  };
  return (
    <Input.Wrapper
      styles={{ error: { marginBlockStart: 5 } }}
      label={label}
      labelProps={{ htmlFor: id }}
      error={error}
      size="md"
      {...(required && { withAsterisk: true })}
    >
      <Group gap="xs" wrap="nowrap" align="flex-start">
        <Select
          aria-label={`${label}: country`}
          w={128}
          size="md"
          data={shown.map(({ code, name }) => ({ value: code, label: name }))}
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
          readOnly={readOnly ?? false}
          comboboxProps={{ width: 280, position: "bottom-start" }}
          maxDropdownHeight={260}
          onChange={(code) => {
            if (!code) return;
            setChosen(code);
            change(countries.find((entry) => entry.code === code)?.callingCode ?? "", national);
          }}
        />
        <TextInput
          id={id}
          flex={1}
          type="tel"
          inputMode="tel"
          autoComplete="tel-national"
          placeholder="98765 43210"
          value={national}
          readOnly={readOnly ?? false}
          error={Boolean(error)}
          leftSection={<Text span className="tabular" c="var(--site-ink)">{`+${callingCode}`}</Text>}
          leftSectionWidth={58}
          onChange={(event) => paste(event.currentTarget.value, callingCode, countries, change)}
        />
      </Group>
    </Input.Wrapper>
  );
}

/** A whole number with "+" and country code may be pasted; otherwise what is typed belongs to the chosen country. */
function paste(
  text: string,
  callingCode: string,
  countries: ReturnType<typeof listCountries>,
  change: (code: string, digits: string) => void,
): void {
  const digits = text.replace(/\D/g, "");
  const whole = text.trim().startsWith("+")
    ? countries.find((entry) => digits.startsWith(entry.callingCode))
    : undefined;
  if (whole) change(whole.callingCode, digits.slice(whole.callingCode.length));
  else change(callingCode, digits);
}

/** The chosen country if the number fits it, otherwise the one with the longest calling code that does. */
function countryOf(value: string, chosen: string, countries: ReturnType<typeof listCountries>): string | undefined {
  const digits = value.replace(/\D/g, "");
  const fitting = countries.filter((entry) => digits.startsWith(entry.callingCode));
  const longest = fitting.toSorted((one, other) => other.callingCode.length - one.callingCode.length)[0];
  return (
    fitting.find((entry) => entry.code === chosen)?.code ??
    fitting.find((entry) => entry.code === homeCountry)?.code ??
    longest?.code
  );
}
