/**
 * The classes that decide which regulators' rules bind a customer. Only the customer states its classes, never our
 * staff.
 */
export const entityClasses = {
  "service provider": { name: "Service provider", group: "Every organization" },
  intermediary: { name: "Intermediary", group: "Every organization" },
  "data centre": { name: "Data centre", group: "Every organization" },
  "body corporate": { name: "Body corporate, such as a company", group: "Every organization" },
  government: { name: "Government organization", group: "Every organization" },
  "data fiduciary": { name: "Data fiduciary: decides why and how personal data are processed", group: "Personal data" },
  listed: { name: "Listed company", group: "Securities" },
  "sebi regulated": { name: "Entity regulated by SEBI", group: "Securities" },
  "stock broker": { name: "Stock broker", group: "Securities" },
  "depository participant": { name: "Depository participant", group: "Securities" },
  bank: { name: "Commercial bank", group: "Banking" },
  nbfc: { name: "Non-banking financial company (NBFC)", group: "Banking" },
  "rbi other": { name: "Another entity under the RBI Directions of 31 July 2026", group: "Banking" },
  insurer: { name: "Insurer", group: "Insurance" },
  "reinsurance branch": { name: "Branch of a foreign reinsurer", group: "Insurance" },
  "insurance intermediary": { name: "Insurance intermediary", group: "Insurance" },
  tpa: { name: "Third-party administrator", group: "Insurance" },
  iib: { name: "Insurance Information Bureau", group: "Insurance" },
  ifsc: { name: "Licensed in an IFSC (GIFT City)", group: "GIFT City" },
  "ifsc market infrastructure": { name: "Market infrastructure institution in an IFSC", group: "GIFT City" },
  "protected system": { name: "Runs a protected system (NCIIPC)", group: "Critical infrastructure" },
  "uae bank": { name: "Bank or other licensee of the CBUAE", group: "United Arab Emirates" },
  "uae listed": { name: "Listed or licensed under the SCA", group: "United Arab Emirates" },
  "uae critical": { name: "Government or critical infrastructure in the UAE", group: "United Arab Emirates" },
} as const satisfies Record<string, { name: string; group: string }>;

export type EntityClass = keyof typeof entityClasses;

export const entityClassNames = Object.keys(entityClasses) as [EntityClass, ...EntityClass[]];
