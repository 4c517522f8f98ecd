import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useState } from "react";
import { limits } from "../../../contract/limits.ts";
import { useList } from "../../lists/use-list.ts";

/** Chooses a customer or a partner by its first person's e-mail, searched for on the server. */
export function OrganizationSelect({
  kind,
  label,
  value,
  error,
  without,
  disabled = false,
  onChange,
}: {
  /** The role of the organisation's main accounts. */
  kind: "user" | "partner";
  label: string;
  value: string | null;
  error?: ReactNode;
  /** The e-mail of an organisation not to offer. */
  without?: string;
  disabled?: boolean;
  /** The name as well, as another organisation may have been invited at the same address. */
  onChange: (email: string | null, name: string) => void;
}) {
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed, limits.pickerSearchMs);
  const [chosen, setChosen] = useState<{ value: string; email: string; name: string; label: string } | null>(null);
  // The label of the chosen option fills the field; it is not a search.
  const list = useList("admin/getUserByAdmin", {
    input: { role: kind },
    search: search === chosen?.label ? "" : search,
  });
  const found = list.rows
    .filter(({ email, status }) => email !== without && status !== "erased")
    // By the row's id: two organisations may have been invited at one e-mail.
    .map(({ id, email, organization_name: name }) => ({ value: id, email, name, label: `${name} (${email})` }));
  const options = chosen && !found.some((option) => option.value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={label}
      placeholder="Search by name or e-mail"
      size="md"
      data={options}
      value={chosen && chosen.email === value ? chosen.value : null}
      error={error}
      disabled={disabled}
      data-autofocus
      openOnFocus={false}
      searchable
      clearable
      filter={({ options: all }) => all}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={list.isFetching ? "Searching…" : "Nothing found"}
      clearButtonProps={{ "aria-label": "Choose none" }}
      withScrollArea={false}
      styles={{ options: { maxHeight: 220, overflowY: "auto" }, option: { overflowWrap: "anywhere" } }}
      onChange={(id) => {
        const next = options.find((option) => option.value === id) ?? null;
        setChosen(next);
        onChange(next?.email ?? null, next?.name ?? "");
      }}
    />
  );
}
