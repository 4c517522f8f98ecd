import { reachCustomer } from "../access/reach.ts";
import type { Handlers } from "../call.ts";
import { planItem, tickItem } from "./change-item.ts";
import { addSite, removeSite, setTimeZone } from "./organisation-settings.ts";
import { readOnboarding, stateOfOnboarding } from "./read-onboarding.ts";

const ticked = (done: boolean) => ({ message: done ? "Ticked, with your name and the time." : "Open again." });
const planned = { message: "Kept." };

export const onboardingHandlers = {
  "user/onboarding": (services, { scope }) => readOnboarding(services, scope),
  "user/onboarding/state": async ({ database }, { scope }) => ({ state: await stateOfOnboarding(database, scope) }),
  "user/onboarding/tick": async (services, { scope }, tick) => {
    await tickItem(services, scope, tick);
    return ticked(tick.done);
  },
  "user/onboarding/plan": async (services, { scope }, plan) => {
    await planItem(services, scope, plan);
    return planned;
  },
  "user/onboarding/time-zone": async (services, { scope }, given) => {
    await setTimeZone(services, scope, given);
    return { message: `Your days go by ${given.timeZone} now.` };
  },
  "user/onboarding/add-site": async (services, { scope }, site) => {
    await addSite(services, scope, site);
    return { message: `${site.name} is added.` };
  },
  "user/onboarding/remove-site": async (services, { scope }, { id }) => {
    await removeSite(services, scope, id);
    return { message: "The site is removed." };
  },
  // A partner assigns nobody, so it gets no names except those in the lines.
  "partner/onboarding": async (services, { scope }, { email }) => ({
    ...(await readOnboarding(services, await reachCustomer(services.database, scope, email))),
    people: { yours: [], ours: [] },
  }),
  "admin/onboarding": async (services, { scope }, { email }) =>
    readOnboarding(services, await reachCustomer(services.database, scope, email)),
  "admin/onboarding/tick": async (services, { scope }, tick) => {
    await tickItem(services, scope, tick);
    return ticked(tick.done);
  },
  "admin/onboarding/plan": async (services, { scope }, plan) => {
    await planItem(services, scope, plan);
    return planned;
  },
} satisfies Partial<Handlers>;
