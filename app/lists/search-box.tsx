import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { limits } from "../../contract/limits.ts";
import textField from "../components/text-field.module.css";
import classes from "./list-fields.module.css";

/** Calls `onSearch` when typing pauses. */
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
    <div className={classes.search}>
      <IconSearch size={18} aria-hidden />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={limits.searchLengthMax}
        className={textField.field}
        defaultValue={initial}
        onChange={(event) => search(event.currentTarget.value)}
      />
    </div>
  );
}
