import type { Handlers } from "../call.ts";
import { findForCustomer, findForPartner, findForProvider } from "./find.ts";

export const paletteHandlers = {
  "user/find": (services, { scope }, { words }) => findForCustomer(services, scope, words),
  "partner/find": (services, { scope }, { words }) => findForPartner(services, scope, words),
  "admin/find": (services, { scope }, { words }) => findForProvider(services, scope, words),
} satisfies Partial<Handlers>;
