import { Box, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Entries } from "../../billing/open-entries.tsx";
import { PanelSection } from "../../components/panel-section.tsx";
import { ListStates } from "../../lists/list-body.tsx";
import { ListCount } from "../../lists/list-count.tsx";
import { LoadMore } from "../../lists/load-more.tsx";
import { SearchBox } from "../../lists/search-box.tsx";
import { useAskedByAddress } from "../../lists/use-asked-by-address.ts";
import { type ListName, type ListOptions, type ListRow, useList } from "../../lists/use-list.ts";

/** A searchable list as entries one below the other, loaded page by page, as a section of a screen. */
export function EntryList<Name extends ListName>({
  name,
  input,
  title,
  what,
  empty,
  entry,
  children,
}: Pick<ListOptions<Name>, "input"> & {
  name: Name;
  title: string;
  /** The plural word for its entries, for its buttons. */
  what: string;
  empty: string;
  entry: (row: ListRow<Name>) => ReactNode;
  /** What else decides which entries are shown. */
  children?: ReactNode;
}) {
  const { links, search, setSearch } = useAskedByAddress([], undefined, `${what}-`);
  const list = useList(name, { search, ...(input && { input }) });
  return (
    <PanelSection title={title} level={2} aside={<ListCount list={list} />}>
      <Box mb="md" className="screen-only">
        <SearchBox key={links} label={`Search ${what}`} initial={search} onSearch={setSearch} />
        {children}
      </Box>
      <ListStates
        list={list}
        loadingRows={2}
        empty={<Text c="var(--site-muted)">{search ? "Nothing was found. Try other words." : empty}</Text>}
      >
        <Entries label={title}>{list.rows.map(entry)}</Entries>
        <LoadMore more={list.more} label={`Load more ${what}`} />
      </ListStates>
    </PanelSection>
  );
}
