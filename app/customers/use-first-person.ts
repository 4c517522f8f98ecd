import { useQuery } from "@tanstack/react-query";
import { call } from "../api.ts";
import { isNoCustomer } from "../components/customer-refused.tsx";

export type FindsFirstPerson = "admin/getUserByEmailforAdmin" | "partner/get-user-by-partner-email";

/** The first person of the customer or partner that an e-mail address names; null where it names none. */
export const useFirstPerson = (operation: FindsFirstPerson, email: string) =>
  useQuery({
    queryKey: [operation, { email }],
    queryFn: async ({ signal }) => (await call(operation, { email }, signal)).user[0] ?? null,
  });

/** Whether an address names nobody of this role: then nothing else is to be asked or offered. */
export const isNobody = ({ data, error }: ReturnType<typeof useFirstPerson>, role: "user" | "partner"): boolean =>
  data ? data.role !== role : data === null || (error !== null && isNoCustomer(error));
