import { queryOptions } from "@tanstack/react-query";
import { call } from "../api.ts";

/** How a quote can be paid besides online. */
export const waysToPayQuery = queryOptions({
  queryKey: ["user/ways-to-pay"],
  queryFn: ({ signal }) => call("user/ways-to-pay", {}, signal),
});
