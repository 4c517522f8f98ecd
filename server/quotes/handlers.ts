import { messages } from "../../contract/messages.ts";
import { type Handlers, signedIn } from "../call.ts";
import { confirmRates, findQuoteRates } from "./confirm-rates.ts";
import { listAllQuotes, listQuotes, listQuotesToConfirm } from "./queries.ts";
import { createQuote, priceSelection } from "./quotes.ts";

export const quoteHandlers = {
  estimator: async (services, call, request) => ({
    message: messages.quoteSent,
    quoteId: await createQuote(services, call, request),
  }),
  "estimator/price": (services, call, { selectedDevices }) => priceSelection(services, call, selectedDevices),
  "user/get-estimation": (services, call, query) => listQuotes(services, signedIn(call), query),
  "admin/getEstimationByAdmin": (services, _call, { state, ...query }) =>
    state ? listQuotesToConfirm(services, query) : listAllQuotes(services, query),
  "admin/getQuoteRates": (services, _call, { quote_id }) => findQuoteRates(services, quote_id),
  "admin/confirmQuoteRates": async (services, call, confirmation) => {
    await confirmRates(services, signedIn(call), confirmation);
    return { message: messages.ratesConfirmed };
  },
} satisfies Partial<Handlers>;
