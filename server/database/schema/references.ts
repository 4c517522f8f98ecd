import { uuid } from "drizzle-orm/pg-core";
import { organisations, people } from "./accounts.ts";

/** The organisation that a row belongs to, with which it is deleted. */
export const ofOrganisation = () =>
  uuid()
    .notNull()
    .references(() => organisations.id, { onDelete: "cascade" });

/** Who did something; null once that person is deleted. */
export const byPerson = () => uuid().references(() => people.id, { onDelete: "set null" });
