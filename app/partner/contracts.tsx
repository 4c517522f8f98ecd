import { Button } from "@mantine/core";
import { brand } from "../../contract/brand.ts";
import { openedLater } from "../components/later.tsx";
import { contractColumns } from "../contracts/contract-columns.tsx";
import type { ContractPanelProps } from "../contracts/contract-panel.tsx";
import { useOpenedContract } from "../contracts/use-opened-contract.ts";
import { ListPage } from "../lists/list-page.tsx";

export const meta = () => [{ title: `Contracts – ${brand.name}` }];

const ContractPanel = openedLater<ContractPanelProps>(() => import("../contracts/contract-panel.tsx"), {
  contract: null,
});

/** The contracts of the partner's customers, those that end first on top. */
export default function Contracts() {
  const { contract: opened, open, close } = useOpenedContract();
  return (
    <>
      <ListPage
        name="partner/contracts"
        title="Contracts"
        hint="What your customers have and until when; those ending first are on top."
        searchLabel="Search contracts"
        ownOrder="ends_on"
        columns={contractColumns}
        fileName="contracts"
        empty="No contracts"
        emptyHint="A contract begins when a customer pays its first order. You then see here how long it runs, and can add devices for the customer."
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
      <ContractPanel contract={opened} reader="partner" onClose={close} />
    </>
  );
}
