import { useState } from "react";
import { NavigationType, useLocation, useNavigationType } from "react-router";
import { useAddress } from "./use-address.ts";

/** Marks an address that only repeats what was chosen on the screen itself. */
const repeated = "repeated";

/** Stands in the address for the order that the server has by itself. */
const orderOfServer = "-";

/**
 * What a list is searched for and sorted by: what the address says, and from then on what is chosen, which the address
 * repeats, so that a way back, a reload and a link find the list as it was. `links` counts the addresses that were followed on
 * the screen itself. `prefix` begins the names in the address, where a screen has several lists.
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
  // The address follows later than what was chosen.
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

/** Where nothing is said of the order it is the list's own. */
function orderOf<Sort extends string>(
  said: string | null,
  columns: readonly { sort?: Sort }[],
  first: Sort | `-${Sort}` | undefined,
) {
  if (said === orderOfServer) return undefined;
  const orders = columns.flatMap(({ sort }) => (sort ? [sort, `-${sort}` as const] : []));
  return orders.find((order) => order === said) ?? first;
}
