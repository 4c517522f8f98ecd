import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { limits } from "../../contract/limits.ts";

/** Tells what is searched for when the typing pauses. */
export function SearchBox({
  label,
  initial = "",
  onSearch,
}: {
  label: string;
  initial?: string;
  onSearch: (text: string) => void;
}) {
  const search = useDebouncedCallback(onSearch, limits.searchDebounceMs);
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={18} aria-hidden />}
      defaultValue={initial}
      w={{ base: "100%", sm: 280 }}
      onChange={(event) => search(event.currentTarget.value)}
    />
  );
}
