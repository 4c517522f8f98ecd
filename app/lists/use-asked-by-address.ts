import { useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { newestAddress, useAddress } from "./use-address.ts";

/** History state of an address that only repeats a choice made on the screen. */
const repeated = "repeated";

/** Stands for the server's own order in the address. */
const orderOfServer = "-";

/**
 * The search and order of a list: from the address at first, then as chosen. The address repeats each choice, so that
 * Back, a reload and a link find the list as it was. `links` counts the later addresses, such as links on the screen
 * itself, that changed them. `prefix` starts the parameters' names if a screen has several lists.
 */
export function useAskedByAddress<Sort extends string>(
  columns: readonly { sort?: Sort }[],
  first: Sort | `-${Sort}` | undefined,
  prefix = "",
): {
  links: number;
  search: string;
  setSearch: (search: string) => void;
  sort: Sort | `-${Sort}` | undefined;
  setSort: (sort: Sort | `-${Sort}` | undefined) => void;
} {
  const [address, changeAddress] = useAddress();
  const cameBack = useNavigationType() === NavigationType.Pop;
  const { key, state } = useLocation() as { key: string; state: unknown };
  const askedBy = (parameters: URLSearchParams) => ({
    search: parameters.get(`${prefix}search`) ?? "",
    sort: orderOf(parameters.get(`${prefix}sort`), columns, first),
  });
  const said = askedBy(address);
  const [chosen, setChosen] = useState({ ...said, at: "", links: 0 });
  const isChosen = ({ search, sort }: typeof said) => search === chosen.search && sort === chosen.sort;
  // The screen is drawn with the address later than with the choice, and before that once more for a filter.
  const isOurs = key === chosen.at || (state === repeated && !cameBack) || isChosen(askedBy(newestAddress()));
  const isOther = !isChosen(said);
  if (isOther && !isOurs) setChosen({ ...said, at: "", links: chosen.links + 1 });
  const choose = (change: Partial<typeof said>, name: keyof typeof said, value: string | null) => {
    setChosen({ ...chosen, ...change, at: key });
    changeAddress({ [prefix + name]: value }, { replace: true, preventScrollReset: true, state: repeated });
  };
  return {
    ...chosen,
    setSearch: (search) => choose({ search }, "search", search),
    setSort: (sort) => choose({ sort }, "sort", sort === first ? null : (sort ?? orderOfServer)),
  };
}

/** The list's own order if the address names none. */
function orderOf<Sort extends string>(
  said: string | null,
  columns: readonly { sort?: Sort }[],
  first: Sort | `-${Sort}` | undefined,
) {
  if (said === orderOfServer) return undefined;
  const orders = columns.flatMap(({ sort }) => (sort ? [sort, `-${sort}` as const] : []));
  return orders.find((order) => order === said) ?? first;
}
