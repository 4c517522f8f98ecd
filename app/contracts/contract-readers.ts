import type { QueryClient } from "@tanstack/react-query";

/** The operations by which each reader prices and adds devices. */
export const addsBy = {
  user: { price: "user/contracts/price-addition", add: "user/contracts/add-devices" },
  partner: { price: "partner/contracts/price-addition", add: "partner/contracts/add-devices" },
  admin: { price: "admin/contracts/price-addition", add: "admin/contracts/add-devices" },
} as const;
export type ContractReader = keyof typeof addsBy;

/** The operation by which each reader asks for fewer devices; a partner can't. */
export const asksLessBy = {
  user: "user/contracts/ask-less",
  partner: null,
  admin: "admin/contracts/ask-less",
} as const;
export type LessAsker = {
  [Reader in ContractReader]: (typeof asksLessBy)[Reader] extends null ? never : Reader;
}[ContractReader];

const shownBy = [
  "user/contracts",
  "partner/contracts",
  "partner/contracts/contract",
  "admin/contracts",
  "admin/contracts/contract",
  "user/get-estimation",
];

/** Refetches everything that shows contracts. */
export async function refreshContracts(queries: QueryClient): Promise<void> {
  await Promise.all(shownBy.map((name) => queries.invalidateQueries({ queryKey: [name] })));
}
