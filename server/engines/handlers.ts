import { engineKinds } from "../../contract/engine-kinds.ts";
import type { Handlers } from "../call.ts";
import { listBindings, removeBinding, saveBinding } from "./bindings.ts";
import { listEngines } from "./list-engines.ts";
import { testBinding } from "./test-binding.ts";

export const engineHandlers = {
  "admin/engines": async (services, { scope }, { email }) => ({ engines: await listBindings(services, scope, email) }),
  "admin/engines/all": (services, { scope }, query) => listEngines(services, scope, query),
  "admin/engines/post": async (services, { scope }, input) => ({
    id: await saveBinding(services, scope, input),
    message: `${engineKinds[input.kind].name} is ${input.id ? "changed" : "bound"}, and is asked now.`,
  }),
  "admin/engines/test": (services, { scope }, input) => testBinding(services, scope, input),
  "admin/engines/remove": async (services, { scope }, seen) => ({
    message: `${engineKinds[await removeBinding(services, scope, seen)].name} is removed, with its credentials.`,
  }),
} satisfies Partial<Handlers>;
