import { useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { useAddress } from "./use-address.ts";

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
  const said = {
    search: address.get(`${prefix}search`) ?? "",
    sort: orderOf(address.get(`${prefix}sort`), columns, first),
  };
  const [chosen, setChosen] = useState({ ...said, at: "", links: 0 });
  // The address is updated later than the choice.
  const isOurs = key === chosen.at || (state === repeated && !cameBack);
  const isOther = said.search !== chosen.search || said.sort !== chosen.sort;
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
