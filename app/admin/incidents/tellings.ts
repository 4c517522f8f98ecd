/** The news that our team can tell of an incident, and the fields of each. */
export const tellings = {
  seen: { label: "Acknowledge", title: "Acknowledge it" },
  owner: { label: "Set the owner", title: "Set the owner" },
  severity: { label: "Change severity", title: "Change the severity" },
  investigating: { label: "Begin to investigate", title: "The investigation begins" },
  action: { label: "Note an action", title: "What was done" },
  asked: { label: "Ask the customer", title: "Ask the customer" },
  answered: { label: "Note an answer", title: "The customer answered another way" },
  waiting: { label: "Wait for somebody", title: "It waits" },
  resumed: { label: "End the wait", title: "It waits no longer" },
  contained: { label: "Contained", title: "It is contained" },
  resolved: { label: "Resolved", title: "It is resolved" },
  closed: { label: "Close", title: "Close it" },
  reopened: { label: "Reopen", title: "Reopen it" },
  merged: { label: "Merge", title: "Merge it into another incident" },
  commented: { label: "Comment", title: "Comment" },
} as const;
export type Told = keyof typeof tellings;
