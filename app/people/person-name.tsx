import type { ListedPerson } from "../../contract/people.ts";
import { PersonStatusBadge } from "./person-status.tsx";

/** A person's name as lists show it. */
export const fullName = (person: Pick<ListedPerson, "first_name" | "last_name">) =>
  `${person.first_name} ${person.last_name}`;

/** The name in a list of customers or partners, and why the person can't sign in, if so. */
export const PersonName = ({ person }: { person: ListedPerson }) => (
  <>
    <bdi>{fullName(person)}</bdi>
    {person.status !== "active" && (
      <>
        {" "}
        <PersonStatusBadge status={person.status} />
      </>
    )}
  </>
);
