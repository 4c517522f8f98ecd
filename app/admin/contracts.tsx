import { Box, Button } from "@mantine/core";
import { useState } from "react";
import { brand } from "../../contract/brand.ts";
import type { Contract, ContractSort } from "../../contract/contracts.ts";
import { openedLater } from "../components/later.tsx";
import { StateBadge } from "../components/state-badge.tsx";
import { contractColumns } from "../contracts/contract-columns.tsx";
import type { ContractPanelProps } from "../contracts/contract-panel.tsx";
import { useOpenedContract } from "../contracts/use-opened-contract.ts";
import { ChoiceButtons } from "../lists/choice-buttons.tsx";
import type { Column } from "../lists/column.ts";
import { ListPage } from "../lists/list-page.tsx";
import { useChoiceOfAddress } from "../lists/use-choice-of-address.ts";
import { useMayCall } from "../portal/use-may-call.ts";

import type { RatesPanelProps } from "./rates-panel.tsx";

export const meta = () => [{ title: `Contracts – ${brand.name}` }];

const ContractPanel = openedLater<ContractPanelProps>(() => import("../contracts/contract-panel.tsx"), {
  contract: null,
});

const RatesPanel = openedLater<RatesPanelProps>(() => import("./rates-panel.tsx"), { quoteId: null });

const columns: readonly Column<Contract, ContractSort>[] = [
  ...contractColumns,
  {
    label: "To decide",
    cell: ({ to_decide }) => (to_decide > 0 ? <StateBadge tone="warning">{to_decide} to decide</StateBadge> : "–"),
    text: ({ to_decide }) => to_decide,
    below: true,
  },
];

const choices = [
  { value: "all", label: "All" },
  { value: "to_decide", label: "To decide" },
  { value: "ends_soon", label: "Ends within 60 days" },
] as const;

const empty = {
  all: [
    "No contracts",
    "A contract begins with the first order of a customer. Each is listed here, with how long it runs.",
  ],
  to_decide: [
    "Nothing to decide",
    "Requests for fewer devices, disputed true-ups, and added devices whose rates need confirmation appear here.",
  ],
  ends_soon: [
    "No contract ends soon",
    "Contracts that end within 60 days appear here, with the state of their renewal.",
  ],
} as const;

/** All contracts: which end soon, and which wait for one of our staff. */
export default function Contracts() {
  const [show, setShow] = useChoiceOfAddress("show", choices);
  const { contract: opened, open, close } = useOpenedContract();
  const [ratesOf, setRatesOf] = useState<string | null>(null);
  const mayCall = useMayCall();
  return (
    <>
      <ListPage
        name="admin/contracts"
        {...(show !== "all" && { input: { show } })}
        title="Contracts"
        hint="What customers have and until when; those ending first are on top."
        searchLabel="Search contracts"
        ownOrder="ends_on"
        columns={columns}
        fileName={`contracts-${show}`}
        filters={
          <Box mb="md">
            <ChoiceButtons label="Show" choices={choices} value={show} onChange={setShow} />
          </Box>
        }
        empty={empty[show][0]}
        emptyHint={empty[show][1]}
        failure="The contracts could not be loaded."
        actions={(contract) => (
          <Button
            variant="default"
            aria-label={`View ${contract.number} of ${contract.organization_name}`}
            onClick={() => open(contract)}
          >
            View
          </Button>
        )}
      />
      <ContractPanel
        contract={opened}
        reader="admin"
        onRates={(quoteId) => {
          close();
          setRatesOf(quoteId);
        }}
        onClose={close}
      />
      <RatesPanel quoteId={ratesOf} mayConfirm={mayCall("admin/confirmQuoteRates")} onClose={() => setRatesOf(null)} />
    </>
  );
}
