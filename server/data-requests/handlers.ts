import type { Handlers } from "../call.ts";
import { listDataRequests } from "./queries.ts";
import { fetchDataFile, requestData } from "./request-data.ts";

export const dataRequestHandlers = {
  "admin/people/data-requests": (services, { scope }, query) => listDataRequests(services, scope, query),
  "admin/people/request-data": async (services, { scope }, request) => {
    await requestData(services, scope, request);
    return {
      message:
        request.kind === "export"
          ? "The copy is being made. You find it under Data requests."
          : "The data are being erased. You find the outcome under Data requests.",
    };
  },
  "admin/people/data-file": async (services, { scope }, { id }) => ({
    signedUrl: await fetchDataFile(services, scope, id),
  }),
} satisfies Partial<Handlers>;
