import { Alert } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Contract } from "../../contract/contracts.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { SidePanel } from "../components/side-panel.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { ContractView } from "./contract-view.tsx";

/** The contract's number from the address, and its row if it was chosen in the list. */
export interface OpenedContract {
  number: string;
  chosen: Pick<Contract, "id" | "organization_name"> | null;
}

export interface ContractPanelProps {
  contract: OpenedContract | null;
  reader: "partner" | "admin";
  onRates?: (quoteId: string) => void;
  onClose: () => void;
}

/** The side panel of a contract beside a list. */
export default function ContractPanel({ contract, reader, onRates, onClose }: ContractPanelProps) {
  const found = useListedContract(contract, reader);
  const listed = contract?.chosen ?? found.data;
  return (
    <SidePanel
      opened={contract !== null}
      title={listed?.organization_name ?? "Contract"}
      subject={contract?.number ?? ""}
      onClose={onClose}
    >
      {listed && <OneContract id={listed.id} reader={reader} {...(onRates && { onRates })} />}
      {!listed && found.isLoading && <ListLoading rows={5} />}
      {!listed && found.isError && <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />}
      {found.data === null && !listed && (
        <Alert color="orange" variant="light" role="alert">
          {noSuchContract[reader]}
        </Alert>
      )}
    </SidePanel>
  );
}

const noSuchContract = {
  admin: "There is no contract with this number. Close this to see them all.",
  partner: "None of your customers has a contract with this number. Close this to see all of theirs.",
} as const;

/** The list's row of the contract that the address names; null if there is none. */
function useListedContract(contract: OpenedContract | null, reader: "partner" | "admin") {
  const name = `${reader}/contracts` as const;
  const number = contract?.number ?? "";
  return useQuery({
    queryKey: [name, "of number", number],
    queryFn: async ({ signal }) => {
      const { contracts } = await call(name, { search: number }, signal);
      return contracts.find((each) => each.number === number) ?? null;
    },
    enabled: contract !== null && contract.chosen === null,
  });
}

/** A contract, fetched by its id. */
export function OneContract({
  id,
  reader,
  onRates,
}: {
  id: string;
  reader: "partner" | "admin";
  onRates?: (quoteId: string) => void;
}) {
  const name = reader === "admin" ? "admin/contracts/contract" : "partner/contracts/contract";
  const found = useQuery({ queryKey: [name, { id }], queryFn: ({ signal }) => call(name, { id }, signal) });
  if (found.isError && !found.data)
    return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  if (!found.data) return <ListLoading rows={5} />;
  return <ContractView contract={found.data} reader={reader} level={3} {...(onRates && { onRates })} />;
}
