import { Button, Group, Text, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type ReactNode, useId, useState } from "react";
import { limits } from "../../contract/limits.ts";
import { PageTitle } from "../components/page-title.tsx";
import { ListEmpty } from "../lists/list-state.tsx";
import { useAddress } from "../lists/use-address.ts";
import { useList } from "../lists/use-list.ts";
import { alertsHint, alertsTitle } from "./pages-of-incidents.tsx";

type Reader = "admin" | "partner";

/**
 * Filters the incidents by customer, by e-mail in the address; empty means all. A change renders the screen anew. The
 * field offers the customers whose name or e-mail holds what is typed.
 */
export function CustomerFilter({ reader, email }: { reader: Reader; email: string }) {
  const [, change] = useAddress();
  const [typed, setTyped] = useState(email);
  const [entered, setEntered] = useState(false);
  const offered = useId();
  const customers = useCustomers(reader, typed, entered);
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
          placeholder="Search by name or e-mail"
          type="email"
          list={offered}
          autoComplete="off"
          onFocus={() => setEntered(true)}
          flex="1 1 12rem"
          maw="17.5rem"
          value={typed}
          onChange={({ currentTarget: { value } }) => setTyped(value)}
        />
        <datalist id={offered}>
          {customers.map(({ id, email: address, organization_name: name }) => (
            <option key={id} value={address}>
              {name}
            </option>
          ))}
        </datalist>
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

/** The reader's customers that are found by what is typed; nothing is asked for before the field is entered. */
function useCustomers(reader: Reader, typed: string, entered: boolean) {
  const [search] = useDebouncedValue(typed.trim(), limits.pickerSearchMs);
  const all = useList("admin/getUserByAdmin", {
    input: { role: "user" },
    search,
    enabled: entered && reader === "admin",
  });
  const own = useList("partner/users", { search, enabled: entered && reader === "partner" });
  return (reader === "admin" ? all : own).rows.filter(({ status }) => status !== "erased");
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
