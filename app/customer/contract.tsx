import { Button, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { brand } from "../../contract/brand.ts";
import type { ContractDetails } from "../../contract/contracts.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { PageTitle } from "../components/page-title.tsx";
import { shownLater } from "../components/later.tsx";
import { ContractRenewal } from "./contract-renewal.tsx";
import { ListEmpty, ListFailed, ListLoading } from "../lists/list-state.tsx";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import { useAddress } from "../lists/use-address.ts";

export const meta = () => [{ title: `Contract – ${brand.name}` }];

const ContractView = shownLater<{ contract: ContractDetails; reader: "user"; next: ReactNode }>(
  async () => ({ default: (await import("../contracts/contract-view.tsx")).ContractView }),
  () => <ListLoading rows={5} />,
);

/** The organisation's contract: its term, its devices, its history and what comes next. */
export default function CustomerContract() {
  const [address, changeAddress] = useAddress();
  const found = useQuery({
    queryKey: ["user/contracts"],
    queryFn: ({ signal }) => call("user/contracts", {}, signal),
  });
  const title = <PageTitle title="Contract" hint="What you have, until when, and what comes next." />;
  if (found.isError && !found.data)
    return (
      <>
        {title}
        <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />
      </>
    );
  if (!found.data)
    return (
      <>
        {title}
        <ListLoading rows={5} />
      </>
    );
  const { contracts } = found.data;
  const shown = contracts.find(({ number }) => number === address.get("contract")) ?? firstOf(contracts);
  return (
    <>
      {title}
      {shown ? (
        <Stack gap="xl">
          {contracts.length > 1 && (
            <div className="screen-only">
              <ChoiceButtons
                label="Which contract"
                choices={contracts.map(({ number }) => ({ value: number, label: number }))}
                value={shown.number}
                onChange={(contract) => changeAddress({ contract }, { replace: true, preventScrollReset: true })}
              />
            </div>
          )}
          <ContractView key={shown.id} contract={shown} reader="user" next={<ContractRenewal contract={shown} />} />
        </Stack>
      ) : (
        <NoContract />
      )}
    </>
  );
}

/** Of the running contracts the one that ends first, else the newest. */
const firstOf = (contracts: readonly ContractDetails[]): ContractDetails | undefined =>
  contracts
    .filter(({ state }) => state === "running")
    .toSorted((one, other) => one.ends_on.localeCompare(other.ends_on))[0] ?? contracts[0];

const NoContract = () => (
  <ListEmpty message="No contract yet">
    <Text c="var(--site-muted)">
      It begins with your first order. You can then see its term and devices here, add devices or ask for fewer, and
      find the offer for the next year.
    </Text>
    <Button component={Link} to="/user/myquote" variant="default" mt="sm">
      Open my quotes
    </Button>
  </ListEmpty>
);
