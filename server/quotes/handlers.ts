import { messages } from "../../contract/messages.ts";
import type { Handlers } from "../call.ts";
import { confirmRates, findQuoteRates } from "./confirm-rates.ts";
import { listAllQuotes, listQuotes, listQuotesToConfirm } from "./queries.ts";
import { proposalJustSent, signProposalToken } from "./proposal-just-sent.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { createQuote, priceSelection } from "./quotes.ts";
import { makeQuote, priceTerms, reviseQuote } from "./staff-quotes.ts";

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
  "user/get-estimation": (services, { scope }, query) => listQuotes(services, scope, query),
  "admin/getEstimationByAdmin": (services, { scope }, { state, ...query }) =>
    state ? listQuotesToConfirm(services, scope, query) : listAllQuotes(services, scope, query),
  "admin/getQuoteRates": (services, { scope }, { quote_id }) => findQuoteRates(services, scope, quote_id),
  "admin/confirmQuoteRates": async (services, { scope }, confirmation) => {
    await confirmRates(services, scope, confirmation);
    return { message: messages.ratesConfirmed };
  },
  "admin/leads/price-quote": (services, { scope }, terms) => priceTerms(services, scope, terms),
  "admin/leads/make-quote": async (services, { scope }, asked) => ({
    lead_id: await makeQuote(services, scope, asked),
    message: "The quote is made. Its proposal is on its way by e-mail.",
  }),
  "admin/leads/revise-quote": async (services, { scope }, asked) => {
    await reviseQuote(services, scope, asked);
    return { message: "The quote is revised. The new proposal is on its way by e-mail." };
  },
} satisfies Partial<Handlers>;
