import { messages } from "../../contract/messages.ts";
import { reachCustomer } from "../access/reach.ts";
import type { Call, Handlers } from "../call.ts";
import { confirmRates, findQuoteRates } from "./confirm-rates.ts";
import type { Services } from "../services.ts";
import { acceptQuote, declineQuote, mailAcceptanceCode, readTerms } from "./decide-quote.ts";
import { estimateForCustomer } from "./estimate-for-customer.ts";
import { listAllQuotes, listQuotes, listQuotesOfPartner, listQuotesToConfirm } from "./queries.ts";
import { proposalJustSent, signProposalToken } from "./proposal-just-sent.ts";
import { quoteNumber } from "../../contract/numbers.ts";
import { createQuote, type KeptQuote, openTaxForCaller, priceSelection } from "./quotes.ts";
import { makeQuote, priceTerms, reviseQuote } from "./staff-quotes.ts";

const sent = async (services: Services, call: Call, quote: KeptQuote) => ({
  message: messages.quoteSent,
  quoteId: quote.id,
  quoteNumber: quoteNumber(quote.serial),
  total_cost: (await openTaxForCaller(services, call))(quote).total,
  proposalToken: signProposalToken(services, call, quote.id),
});

export const quoteHandlers = {
  estimator: async (services, call, request) => sent(services, call, await createQuote(services, call, request)),
  "partner/create-estimate": async (services, call, estimate) => ({
    ...(await sent(services, call, await estimateForCustomer(services, call.scope, estimate))),
    message: messages.quoteSentToCustomer,
  }),
  "partner/get-estimation": async (services, { scope }, { email, ...query }) =>
    listQuotesOfPartner(services, scope, await reachCustomer(services.database, scope, email), query),
  "estimator/proposal": async (services, call, { token }) => ({
    signedUrl: await proposalJustSent(services, call, token),
  }),
  "estimator/price": (services, call, { selectedDevices }) => priceSelection(services, call, selectedDevices),
  "user/get-estimation": (services, { scope }, query) => listQuotes(services, scope, query),
  "user/quotes/terms": (services, { scope }, { quote_id }) => readTerms(services, scope, quote_id),
  "user/quotes/mail-code": async (services, { scope }, ofRevision) => {
    await mailAcceptanceCode(services, scope, ofRevision);
    return { message: "The code is on its way to your mailbox." };
  },
  "user/quotes/accept": async (services, call, acceptance) => {
    await acceptQuote(services, call.scope, call, acceptance);
    return { message: "The proposal is accepted. A copy with the evidence is on its way by e-mail." };
  },
  "user/quotes/decline": async (services, call, declined) => {
    await declineQuote(services, call.scope, call, declined);
    return { message: "The proposal is declined. Thank you for telling us." };
  },
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
