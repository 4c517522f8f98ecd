import { Button, Group, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { PageTitle } from "../components/page-title.tsx";
import { ListEmpty } from "../lists/list-state.tsx";
import { useAddress } from "../lists/use-address.ts";
import { alertsHint, alertsTitle } from "./pages-of-incidents.tsx";

/** Filters the incidents by customer, by e-mail in the address; empty means all. A change renders the screen anew. */
export function CustomerFilter({ email }: { email: string }) {
  const [, change] = useAddress();
  const [typed, setTyped] = useState(email);
  const show = (customer: string) => change({ customer }, { replace: false });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        show(typed.trim());
      }}
    >
      <Group align="end" gap="sm" mt="md">
        <TextInput
          label="Customer’s e-mail"
          type="email"
          flex="1 1 12rem"
          maw="17.5rem"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <Button type="submit" variant="default" size="md">
          Show
        </Button>
        {email && (
          <Button
            variant="subtle"
            size="md"
            onClick={() => {
              setTyped("");
              show("");
            }}
          >
            All customers
          </Button>
        )}
      </Group>
    </form>
  );
}

/** Shown until a customer is named whose findings are to be shown. */
export const WhichCustomer = ({ above }: { above: ReactNode }) => (
  <>
    <PageTitle title={alertsTitle} hint={alertsHint} />
    {above}
    <ListEmpty message="Which customer?">
      <Text c="var(--site-muted)">
        Enter the e-mail of anybody at the customer: their findings then stand here, day by day.
      </Text>
    </ListEmpty>
  </>
);
