export * from "./accounts.ts";
export * from "./content.ts";
export * from "./leads.ts";
export * from "./mails.ts";
export * from "./orders.ts";
export * from "./quotes.ts";
export * from "./sandbox.ts";
export * from "./tools.ts";
