import { messages } from "../../contract/messages.ts";
import { type Handlers, signedIn } from "../call.ts";
import { listQuotes } from "./queries.ts";
import { createQuote, priceSelection } from "./quotes.ts";

export const quoteHandlers = {
  estimator: async (services, call, request) => ({
    message: messages.quoteSent,
    quoteId: await createQuote(services, call, request),
  }),
  "estimator/price": (services, call, { selectedDevices }) => priceSelection(services, call, selectedDevices),
  "user/get-estimation": (services, call, query) => listQuotes(services, signedIn(call), query),
} satisfies Partial<Handlers>;
