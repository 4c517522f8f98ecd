import { messages } from "../../contract/messages.ts";
import { type Handlers, signedIn } from "../call.ts";
import { confirmRates, findQuoteRates } from "./confirm-rates.ts";
import { listAllQuotes, listQuotes, listQuotesToConfirm } from "./queries.ts";
import { currentRateCard, presentRateCard, updateRateCard } from "./rate-card.ts";
import { proposalJustSent, signProposalToken } from "./proposal-just-sent.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { createQuote, priceSelection } from "./quotes.ts";

export const quoteHandlers = {
  estimator: async (services, call, request) => {
    const { id, serial } = await createQuote(services, call, request);
    return {
      message: messages.quoteSent,
      quoteId: id,
      quoteNumber: quoteNumber(serial),
      proposalToken: signProposalToken(services, call, id),
    };
  },
  "estimator/proposal": async (services, call, { token }) => ({
    signedUrl: await proposalJustSent(services, call, token),
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
  "admin/rate-card": async ({ database }) => presentRateCard(await currentRateCard(database)),
  "admin/updateRateCard": async (services, call, update) => {
    await updateRateCard(services, signedIn(call), update);
    return { message: "The new rate card is in force." };
  },
} satisfies Partial<Handlers>;
