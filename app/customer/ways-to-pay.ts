import { queryOptions } from "@tanstack/react-query";
import { call } from "../api.ts";

/** The ways to pay for a quote other than online. */
export const waysToPayQuery = queryOptions({
  queryKey: ["user/ways-to-pay"],
  queryFn: ({ signal }) => call("user/ways-to-pay", {}, signal),
});
