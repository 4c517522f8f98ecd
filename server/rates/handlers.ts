import { type Handlers, signedIn } from "../call.ts";
import { compareCard } from "./compare.ts";
import { findCard, findRates } from "./find-rates.ts";
import { discardDraft, publishDraft, saveDraft, withdrawCard } from "./publish.ts";
import { catalogueInForce } from "./rate-card.ts";

export const rateHandlers = {
  catalogue: (services) => catalogueInForce(services),
  "admin/rates": (services) => findRates(services),
  "admin/rates/card": (services, _call, { id }) => findCard(services, id),
  "admin/rates/compare": (services, _call, { content }) => compareCard(services, content),
  "admin/rates/save-draft": async (services, call, edited) => ({
    message: "The draft is saved.",
    id: await saveDraft(services, signedIn(call), edited),
  }),
  "admin/rates/discard-draft": async (services, call, edited) => {
    await discardDraft(services, signedIn(call), edited);
    return { message: "The draft is discarded." };
  },
  "admin/rates/publish": async (services, call, edited) => ({
    message: await publishDraft(services, signedIn(call), edited),
  }),
  "admin/rates/withdraw": async (services, call, { id }) => ({
    message: await withdrawCard(services, signedIn(call), id),
  }),
} satisfies Partial<Handlers>;
