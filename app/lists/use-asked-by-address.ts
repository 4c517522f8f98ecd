import { useState } from "react";
import { useLocation, useSearchParams } from "react-router";

/** Marks an address that only repeats what was chosen on the screen itself. */
const repeated = "repeated";

/**
 * What a list is searched for and sorted by: what the address says, and from then on what is chosen, which the address
 * repeats, so that a way back, a reload and a link find the list as it was. `links` counts the links that were followed on the
 * screen itself.
 */
export function useAskedByAddress<Order extends string>(
  orders: readonly Order[],
  first: Order | undefined,
): {
  links: number;
  search: string;
  setSearch: (search: string) => void;
  sort: Order | undefined;
  setSort: (sort: Order | undefined) => void;
} {
  const [address, setAddress] = useSearchParams();
  const { key, state } = useLocation() as { key: string; state: unknown };
  const said = { search: address.get("search") ?? "", sort: orderOf(address.get("sort"), orders, first) };
  const [chosen, setChosen] = useState({ ...said, at: "", links: 0 });
  // The address follows later than what was chosen.
  const isOurs = key === chosen.at || state === repeated;
  if (!isOurs && said.search !== chosen.search) setChosen({ ...said, at: "", links: chosen.links + 1 });
  const choose = (change: Partial<typeof said>, name: string, value: string | null) => {
    setChosen({ ...chosen, ...change, at: key });
    setAddress(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === null) next.delete(name);
        else next.set(name, value);
        return next;
      },
      { replace: true, preventScrollReset: true, state: repeated },
    );
  };
  return {
    ...chosen,
    setSearch: (search) => choose({ search }, "search", search || null),
    setSort: (sort) => choose({ sort }, "sort", sort === first ? null : (sort ?? "")),
  };
}

/** Nothing is said of the order: the list's own; said to be empty: the server's. */
function orderOf<Order extends string>(said: string | null, orders: readonly Order[], first: Order | undefined) {
  if (said === "") return undefined;
  return orders.find((order) => order === said) ?? first;
}
