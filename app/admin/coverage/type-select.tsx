import { NativeSelect } from "@mantine/core";
import type { ReactNode } from "react";
import { keyOf } from "../../../contract/devices.ts";
import { useCatalogue } from "../../estimator/use-catalogue.ts";

/** Parses a type's key, `service|deviceType`, from the select. */
export function typeOf(key: string): { service: string; deviceType: string } | null {
  const [service = "", deviceType = ""] = key.split("|");
  return deviceType === "" ? null : { service, deviceType };
}

/** The type is sent in two fields but chosen in one: shows either field's error there. */
export function errorsByType({ service, deviceType, ...errors }: Record<string, string>): Record<string, string> {
  const ofType = service ?? deviceType;
  return ofType ? { ...errors, type: ofType } : errors;
}

/** A select of the device types that the rate card offers. */
export function TypeSelect({
  value,
  onChange,
  error,
  ...focus
}: {
  value: string;
  onChange: (key: string) => void;
  error?: ReactNode;
  /** The dialog starts in it. */
  "data-autofocus"?: boolean;
}) {
  const { catalogue } = useCatalogue();
  const groups = catalogue.groups.map(({ name, types }) => ({
    group: name,
    items: types.map((type) => ({ value: keyOf(type), label: type.name })),
  }));
  return (
    <NativeSelect
      label="Device type"
      data={[{ value: "", label: "Please choose" }, ...groups]}
      value={value}
      error={error}
      {...focus}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
