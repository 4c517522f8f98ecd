import { messages } from "../../contract/messages.ts";
import type { Handlers } from "../call.ts";
import { changeLead, listOwners, noteLead } from "./change-lead.ts";
import { findLead } from "./find-lead.ts";
import { readFunnel } from "./funnel.ts";
import { handOverLeads } from "./hand-over.ts";
import { joinLeads, separateLead } from "./join-leads.ts";
import { listLeads } from "./queries.ts";
import { sendLead } from "./send-lead.ts";
import { deleteView, listViews, saveView } from "./views.ts";

export const leadHandlers = {
  contact: async (services, call, request) => {
    await sendLead(services, call, request);
    return { message: messages.contactSent };
  },
  "admin/leads": (services, { scope }, query) => listLeads(services, scope, query),
  "admin/leads/lead": (services, { scope }, { id }) => findLead(services, scope, id),
  "admin/leads/owners": (services, { scope }) => listOwners(services, scope),
  "admin/leads/update": async (services, { scope }, change) => {
    await changeLead(services, scope, change);
    return { message: "The lead is saved." };
  },
  "admin/leads/hand-over": async (services, { scope }, given) => {
    const count = await handOverLeads(services, scope, given);
    if (count === 0) return { message: "No open lead was left to hand over." };
    return { message: count === 1 ? "One lead is handed over." : `${count} leads are handed over.` };
  },
  "admin/leads/add-note": async (services, { scope }, note) => {
    await noteLead(services, scope, note);
    return { message: "The note is saved." };
  },
  "admin/leads/join": async (services, { scope }, pair) => {
    await joinLeads(services, scope, pair);
    return { message: "The leads are joined." };
  },
  "admin/leads/separate": async (services, { scope }, { id }) => {
    await separateLead(services, scope, id);
    return { message: "The lead is separate again." };
  },
  "admin/leads/views": (services, { scope }) => listViews(services, scope),
  "admin/leads/save-view": async (services, { scope }, view) => {
    await saveView(services, scope, view);
    return { message: "The view is saved." };
  },
  "admin/leads/delete-view": async (services, { scope }, { id }) => {
    await deleteView(services, scope, id);
    return { message: "The view is deleted." };
  },
  "admin/leads/funnel": (services, { scope }) => readFunnel(services, scope),
} satisfies Partial<Handlers>;
