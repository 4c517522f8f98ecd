import { useAddress } from "./use-address.ts";

/** A choice of the address's parameter; the first if it names none. */
export function useChoiceOfAddress<Value extends string>(
  name: string,
  choices: readonly [{ value: Value }, ...{ value: Value }[]],
) {
  const [address, change] = useAddress();
  const [{ value: first }] = choices;
  const chosen = choices.find(({ value }) => value === address.get(name))?.value ?? first;
  const choose = (value: Value) =>
    change({ [name]: value === first ? null : value }, { replace: true, preventScrollReset: true });
  return [chosen, choose] as const;
}
