import type { Handlers } from "../call.ts";
import { compareCard } from "./compare.ts";
import { findCard, findRates } from "./find-rates.ts";
import { discardDraft, publishDraft, saveDraft, withdrawCard } from "./publish.ts";
import { catalogueInForce } from "./rate-card.ts";

export const rateHandlers = {
  catalogue: (services) => catalogueInForce(services),
  "admin/rates": (services, { scope }) => findRates(services, scope),
  "admin/rates/card": (services, { scope }, { id }) => findCard(services, scope, id),
  "admin/rates/compare": (services, { scope }, { content }) => compareCard(services, scope, content),
  "admin/rates/save-draft": async (services, { scope }, edited) => ({
    message: "The draft is saved.",
    id: await saveDraft(services, scope, edited),
  }),
  "admin/rates/discard-draft": async (services, { scope }, edited) => {
    await discardDraft(services, scope, edited);
    return { message: "The draft is discarded." };
  },
  "admin/rates/publish": async (services, { scope }, edited) => ({
    message: await publishDraft(services, scope, edited),
  }),
  "admin/rates/withdraw": async (services, { scope }, { id }) => ({
    message: await withdrawCard(services, scope, id),
  }),
} satisfies Partial<Handlers>;
