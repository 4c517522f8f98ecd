import { messages } from "../../contract/messages.ts";
import { type Handlers, signedIn } from "../call.ts";
import { listAllQuotes, listQuotes } from "./queries.ts";
import { currentRateCard, presentRateCard, updateRateCard } from "./rate-card.ts";
import { createQuote, priceSelection } from "./quotes.ts";

export const quoteHandlers = {
  estimator: async (services, call, request) => ({
    message: messages.quoteSent,
    quoteId: await createQuote(services, call, request),
  }),
  "estimator/price": (services, call, { selectedDevices }) => priceSelection(services, call, selectedDevices),
  "user/get-estimation": (services, call, query) => listQuotes(services, signedIn(call), query),
  "admin/getEstimationByAdmin": (services, _call, query) => listAllQuotes(services, query),
  "admin/rate-card": async ({ database }) => presentRateCard(await currentRateCard(database)),
  "admin/updateRateCard": async (services, call, update) => {
    await updateRateCard(services, signedIn(call), update);
    return { message: "The new rate card is in force." };
  },
} satisfies Partial<Handlers>;
