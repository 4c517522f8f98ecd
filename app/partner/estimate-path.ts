import type { ListedPerson } from "../../contract/people.ts";

/** The address for a customer's estimate. The e-mail is encoded, as it may contain "/" and "?"; "@" need not be. */
export const estimatePath = (email: string) => `/partner/estimator/${encodeURIComponent(email).replace("%40", "@")}`;

/** Whether an estimate can be made: only for people who can sign in or accept their invitation. */
export const mayGetEstimate = ({ status }: Pick<ListedPerson, "status">) => status === "active" || status === "invited";
