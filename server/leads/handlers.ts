import { messages } from "../../contract/messages.ts";
import type { Handlers } from "../call.ts";
import { sendLead } from "./send-lead.ts";

export const leadHandlers = {
  contact: async (services, call, request) => {
    await sendLead(services, call, request);
    return { message: messages.contactSent };
  },
} satisfies Partial<Handlers>;
