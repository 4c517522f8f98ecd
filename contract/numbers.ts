/** What people call a quote: Q-000123. */
export const quoteNumber = (serial: number) => `Q-${sixDigits(serial)}`;

/** What people call an order: O-000123. */
export const orderNumber = (serial: number) => `O-${sixDigits(serial)}`;

/** What people call a lead: L-000123. */
export const leadNumber = (serial: number) => `L-${sixDigits(serial)}`;

/** What people call a contract: C-000123. */
export const contractNumber = (serial: number) => `C-${sixDigits(serial)}`;

/** What people call an incident: I-000123. */
export const incidentNumber = (serial: number) => `I-${sixDigits(serial)}`;

const sixDigits = (serial: number) => String(serial).padStart(6, "0");
