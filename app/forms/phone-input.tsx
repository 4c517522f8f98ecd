import { Group, Input, Text, TextInput } from "@mantine/core";
import { useId } from "@mantine/hooks";
import { IconSelector } from "@tabler/icons-react";
import { type ReactNode, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { digitsOf, nationalOf, tenDigitPlan } from "../../contract/phone-numbers.ts";
import { partIsGone, useLoaded } from "../components/later.tsx";
import { type Country, findCountry, listCountries } from "./calling-codes.ts";

// Few people change the country, so its searchable list is loaded when the field is first entered.
const loadCountrySelect = () => import("./country-select.tsx");

const homeCountry = "IN";

/**
 * A phone number with its country, at first India. `value` is "+" with at most 15 digits, or empty. The list of
 * countries can be searched by name or calling code.
 */
export function PhoneInput({
  label,
  value = "",
  onChange,
  onBlur,
  error,
  readOnly,
  required,
  "data-path": path,
}: {
  label: string;
  value?: string;
  onChange: (value: string) => void;
  /** Called when the number loses focus, not the country. */
  onBlur?: (() => void) | undefined;
  error?: ReactNode;
  readOnly?: boolean;
  required?: boolean;
  /** The field's name in its form. */
  "data-path"?: string;
}) {
  const id = useId();
  const countries = useMemo(() => listCountries(), []);
  const [chosen, setChosen] = useState<Country>();
  const chosenCode = chosen?.code ?? homeCountry;
  const country = countryOf(value, chosenCode, countries) ?? chosenCode;
  const current = chosen?.code === country ? chosen : countries.find((entry) => entry.code === country);
  const callingCode = current?.callingCode ?? "";
  const national = value.replace(/\D/g, "").slice(callingCode.length);
  const change = (to: Country, digits: string) => {
    const plan = to.plan ?? tenDigitPlan(to.callingCode);
    const typed = plan ? nationalOf(plan, digitsOf(digits)) : digitsOf(digits);
    const rest = typed.slice(0, limits.phoneDigitsMax - to.callingCode.length);
    setChosen(to);
    onChange(rest && `+${to.callingCode}${rest}`);
  };
  const box = useRef<HTMLInputElement>(null);
  const typedBefore = useEffectEvent(() => {
    if (current && box.current && box.current.value !== box.current.defaultValue) change(current, box.current.value);
  });
  // Adopts what was typed before the page's script had loaded.
  useLayoutEffect(() => typedBefore(), []);
  return (
    <Input.Wrapper
      id={id}
      styles={{ error: { marginBlockStart: 5 } }}
      label={label}
      error={error}
      size="md"
      {...(required && { withAsterisk: true })}
    >
      {/* Where the two do not fit beside each other, the country wraps above the whole number. */}
      <Group gap="xs" align="flex-start">
        <CountryField {...{ label, countries, country, readOnly }} onChoose={(picked) => change(picked, national)} />
        <Input
          ref={box}
          data-path={path}
          flex="9999 1 11.5rem"
          size="md"
          inputMode="tel"
          autoComplete="tel-national"
          placeholder="98765 43210"
          value={national}
          onBlur={() => onBlur?.()}
          readOnly={readOnly ?? false}
          error={Boolean(error)}
          // The placeholder is an example, so it keeps its colour when the field is invalid.
          styles={{ input: { "--input-placeholder-color": "var(--mantine-color-placeholder)" } }}
          leftSection={<Text span className="tabular" c="var(--site-ink)">{`+${callingCode}`}</Text>}
          leftSectionWidth={58}
          onChange={(event) => {
            const text = event.currentTarget.value;
            // A pasted number with "+" sets the country; anything else belongs to the chosen country.
            const pasted = text.trim().startsWith("+") ? findCountry(countries, text.replace(/\D/g, "")) : undefined;
            if (pasted) change(pasted, digitsOf(text).slice(pasted.callingCode.length));
            else if (current) change(current, text);
          }}
        />
      </Group>
    </Input.Wrapper>
  );
}

/** The country's name; its searchable list is loaded when the field is first entered. If that fails, the name stays. */
function CountryField({
  label,
  countries,
  country,
  readOnly,
  onChoose,
}: {
  label: string;
  countries: readonly Country[];
  country: string;
  readOnly: boolean | undefined;
  onChoose: (picked: Country) => void;
}) {
  const [choosing, setChoosing] = useState(false);
  const wanted = choosing && !readOnly;
  const { Part: CountrySelect, failed } = useLoaded(loadCountrySelect, wanted);
  useEffect(() => {
    if (failed) partIsGone();
  }, [failed]);
  return CountrySelect && wanted ? (
    <CountrySelect label={`${label}: country`} countries={countries} country={country} onChoose={onChoose} />
  ) : (
    <TextInput
      aria-label={`${label}: country`}
      role={readOnly ? undefined : "combobox"}
      aria-expanded={readOnly ? undefined : false}
      flex="1 1 128px"
      size="md"
      readOnly
      value={countries.find(({ code }) => code === country)?.name ?? ""}
      rightSection={readOnly ? null : <IconSelector size={18} aria-hidden />}
      rightSectionPointerEvents="none"
      // The field stays in place and keeps the focus until the list has loaded.
      onFocus={() => setChoosing(true)}
      // If the focus has moved on, the list does not take it back.
      onBlur={() => setChoosing(false)}
    />
  );
}

/** The chosen country if the number fits it, otherwise the country of the number's calling code. */
function countryOf(value: string, chosen: string, countries: readonly Country[]): string | undefined {
  const digits = value.replace(/\D/g, "");
  const fits = countries.some((entry) => entry.code === chosen && digits.startsWith(entry.callingCode));
  return fits ? chosen : findCountry(countries, digits)?.code;
}
