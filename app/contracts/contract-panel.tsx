import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
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
  const [isCovered, setIsCovered] = useState(false);
  return (
    <SidePanel
      opened={contract !== null}
      title={contract?.organization_name ?? ""}
      subject={contract?.number ?? ""}
      onClose={onClose}
      covered={isCovered}
    >
      {contract && (
        <OneContract id={contract.id} reader={reader} {...(onRates && { onRates })} onCovered={setIsCovered} />
      )}
    </SidePanel>
  );
}

/** A contract, asked for by its id. */
export function OneContract({
  id,
  reader,
  onRates,
  onCovered,
}: {
  id: string;
  reader: "partner" | "admin";
  onRates?: (quoteId: string) => void;
  onCovered?: (covered: boolean) => void;
}) {
  const name = reader === "admin" ? "admin/contracts/contract" : "partner/contracts/contract";
  const found = useQuery({ queryKey: [name, { id }], queryFn: ({ signal }) => call(name, { id }, signal) });
  if (found.isError && !found.data)
    return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  if (!found.data) return <ListLoading rows={5} />;
  const told = { ...(onRates && { onRates }), ...(onCovered && { onCovered }) };
  return <ContractView contract={found.data} reader={reader} level={3} {...told} />;
}
