import { useQuery } from "@tanstack/react-query";
import type { Contract } from "../../contract/contracts.ts";
import { messages } from "../../contract/messages.ts";
import { call } from "../api.ts";
import { SidePanel } from "../components/side-panel.tsx";
import { ListFailed, ListLoading } from "../lists/list-state.tsx";
import { ContractView } from "./contract-view.tsx";

export interface ContractPanelProps {
  contract: Pick<Contract, "id" | "number" | "organization_name"> | null;
  reader: "partner" | "admin";
  onRates?: (quoteId: string) => void;
  onClose: () => void;
}

/** A contract beside a list. */
export default function ContractPanel({ contract, reader, onRates, onClose }: ContractPanelProps) {
  return (
    <SidePanel
      opened={contract !== null}
      title={contract?.organization_name ?? ""}
      subject={contract?.number ?? ""}
      onClose={onClose}
    >
      {contract && <OneContract id={contract.id} reader={reader} {...(onRates && { onRates })} />}
    </SidePanel>
  );
}

/** A contract, asked for by its id. */
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
