import { Button, Group, NativeSelect, TextInput } from "@mantine/core";
import { auditActions, untoldActions } from "../../contract/audit.ts";
import type { Sent } from "../../contract/operations.ts";
import { useAddress } from "../lists/use-address.ts";
import classes from "./audit-filters.module.css";

const names = ["person", "action", "subject", "from", "to"] as const;
type Narrowed = Partial<Pick<Sent<"admin/audit">, (typeof names)[number]>>;

const untold = new Set<string>(untoldActions);
const phrases: string[] = Object.values(auditActions);
/** Where several actions share a phrase, adds what each is about. */
const aboutOf = (action: string, phrase: string) =>
  phrases.filter((each) => each === phrase).length > 1 ? `… (${action.replace(/^\S+ /, "")})` : "…";
const actions = Object.entries(auditActions)
  .map(([value, phrase]) => ({ value, label: phrase.replace("{}", aboutOf(value, phrase)) }))
  .toSorted((one, other) => one.label.localeCompare(other.label));
const actionsTold = actions.filter(({ value }) => !untold.has(value));

/** The filters of the log, kept in the address so that they can be bookmarked and sent as a link. */
export function useAuditFilters(): Narrowed {
  const [address] = useAddress();
  const given = names.map((name) => [name, address.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(given) as Narrowed;
}

/** Filters by person, by an action that the readers may see, and by days; a link in an entry filters by its subject. */
export function AuditFilters({ ofAll }: { ofAll: boolean }) {
  const narrowed = useAuditFilters();
  const [, change] = useAddress();
  const narrow = (chosen: Narrowed) =>
    change(Object.fromEntries(names.map((name) => [name, chosen[name]])), { replace: false });
  return (
    // The key remounts the form when the filters change, by a link or the browser's Back, so that its fields show them.
    <form
      key={JSON.stringify(narrowed)}
      aria-label="Narrow the log"
      className={classes.filters}
      onSubmit={(event) => {
        event.preventDefault();
        narrow(Object.fromEntries(new FormData(event.currentTarget)) as Narrowed);
      }}
    >
      <TextInput
        name="person"
        type="email"
        label="Who, by e-mail"
        defaultValue={narrowed.person ?? ""}
        autoComplete="off"
      />
      <NativeSelect
        name="action"
        label="What"
        defaultValue={narrowed.action ?? ""}
        data={[{ value: "", label: "Anything" }, ...(ofAll ? actions : actionsTold)]}
      />
      <TextInput name="from" type="date" label="From" defaultValue={narrowed.from ?? ""} />
      <TextInput name="to" type="date" label="To" defaultValue={narrowed.to ?? ""} />
      {narrowed.subject !== undefined && (
        <TextInput name="subject" label="About" defaultValue={narrowed.subject} readOnly />
      )}
      <Group gap="xs" wrap="nowrap">
        <Button type="submit" variant="default" size="md">
          Show
        </Button>
        {Object.keys(narrowed).length > 0 && (
          <Button variant="subtle" size="md" onClick={() => narrow({})}>
            Clear
          </Button>
        )}
      </Group>
    </form>
  );
}
