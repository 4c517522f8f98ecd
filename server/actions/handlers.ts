import type { Handlers } from "../call.ts";
import { releaseAction, resolveAction, retryAction, takeAction } from "./change-action.ts";
import { findAction } from "./find-action.ts";
import { countActions, listActions } from "./queries.ts";

export const actionHandlers = {
  "admin/actions": (services, { scope }, query) => listActions(services, scope, query),
  "admin/actions/queues": (services, { scope }) => countActions(services, scope),
  "admin/actions/item": (services, { scope }, { id }) => findAction(services, scope, id),
  "admin/actions/take": async (services, { scope }, taken) => {
    await takeAction(services, scope, taken);
    return { message: "This is yours now. Others see that you are dealing with it." };
  },
  "admin/actions/release": async (services, { scope }, { id }) => {
    await releaseAction(services, scope, id);
    return { message: "You have given this back." };
  },
  "admin/actions/resolve": async (services, { scope }, resolved) => {
    await resolveAction(services, scope, resolved);
    return { message: "This is resolved. Your reason stays with it, under Done." };
  },
  "admin/actions/retry": async (services, { scope }, { id }) => ({ message: await retryAction(services, scope, id) }),
} satisfies Partial<Handlers>;
