import { ListSection } from "../lists/list-section.tsx";
import { contractColumns } from "../contracts/contract-columns.tsx";
import { OneContract } from "../contracts/contract-panel.tsx";

/** A customer's contracts in its panel; each expands below its row. */
export function ContractsOfCustomer({ email }: { email: string }) {
  return (
    <ListSection
      name="partner/contracts"
      input={{ email }}
      title="Contracts"
      columns={contractColumns.filter(({ label, fileOnly }) => label !== "Customer" && !fileOnly)}
      empty="No contract yet"
      emptyHint="It begins when the customer pays its first order."
      failure="The contracts could not be loaded."
      unfold={({ id, number }) => ({
        label: "Contract",
        about: number,
        content: <OneContract id={id} reader="partner" />,
      })}
    />
  );
}
