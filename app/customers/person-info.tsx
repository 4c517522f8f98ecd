import { Skeleton } from "@mantine/core";
import { messages } from "../../contract/messages.ts";
import { ListEmpty, ListFailed } from "../lists/list-state.tsx";
import { PhoneNumber } from "../components/address-text.tsx";
import { CustomerStateOf } from "./customer-state.tsx";
import { Facts } from "../components/panel-section.tsx";
import { type FindsFirstPerson, useFirstPerson } from "./use-first-person.ts";

/** Name, e-mail, phone and organisation of the person with this e-mail. */
export function PersonInfo({ operation, email }: { operation: FindsFirstPerson; email: string }) {
  const found = useFirstPerson(operation, email);
  if (found.isLoadingError) return <ListFailed message={messages.fetchFailed} onRetry={() => void found.refetch()} />;
  if (found.isPending) return <Skeleton h={56} radius="md" />;
  const person = found.data;
  if (!person) return <ListEmpty message={messages.noUsers} />;
  return (
    <Facts
      facts={[
        ["Name", `${person.first_name} ${person.last_name}`],
        ["Email", person.email],
        ["Phone", <PhoneNumber key="phone" number={person.phone_no} />],
        ["Organization", person.organization_name],
        ...(person.customer_state
          ? [["State", <CustomerStateOf key="state" state={person.customer_state} />] as const]
          : []),
      ]}
    />
  );
}
