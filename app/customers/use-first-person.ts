import { useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { isNoCustomer } from "../components/customer-refused.tsx";

export type FindsFirstPerson = "admin/getUserByEmailforAdmin" | "partner/get-user-by-partner-email";

/** The first person of the customer or partner that an e-mail names; null if it names none. */
export const useFirstPerson = (operation: FindsFirstPerson, email: string) =>
  useQuery({
    queryKey: [operation, { email }],
    queryFn: async ({ signal }) => (await call(operation, { email }, signal)).user[0] ?? null,
  });

/** Whether an e-mail names nobody of this role: then nothing else is fetched or offered. */
export const isNobody = ({ data, error }: ReturnType<typeof useFirstPerson>, role: "user" | "partner"): boolean =>
  data ? data.role !== role : data === null || (error !== null && isNoCustomer(error));
