import type { ListedPerson } from "../../contract/people.ts";

/** Where a partner makes an estimate for a customer. An e-mail may hold "/" and "?"; its "@" is fit for a path as it is. */
export const estimatePath = (email: string) => `/partner/estimator/${encodeURIComponent(email).replace("%40", "@")}`;

/** An estimate can be made for whoever signs in, or may still accept the invitation. */
export const mayGetEstimate = ({ status }: Pick<ListedPerson, "status">) => status === "active" || status === "invited";
