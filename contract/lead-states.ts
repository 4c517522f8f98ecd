/** The states of a lead, in the order of the work: keys for the wire, labels for the screen. */
export const leadStates = {
  new: "New",
  contacted: "Contacted",
  proposal_sent: "Proposal sent",
  negotiation: "Negotiation",
  won: "Won",
  lost: "Lost",
  junk: "Junk",
} as const;
export type LeadState = keyof typeof leadStates;

/** The states that somebody works on. */
export const openLeadStates = [
  "new",
  "contacted",
  "proposal_sent",
  "negotiation",
] as const satisfies readonly LeadState[];
/** The stages from a new lead to a won one; a lost or junk lead has left them. */
export const leadStages = [...openLeadStates, "won"] as const satisfies readonly LeadState[];

export const leadSources = {
  estimate: "Estimate",
  contact: "Contact form",
  partner: "Made by a partner",
  staff: "Made by us",
} as const;
export type LeadSource = keyof typeof leadSources;
