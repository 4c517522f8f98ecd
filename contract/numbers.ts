/** A quote's number as people see it: Q-000123. */
export const quoteNumber = (serial: number) => `Q-${sixDigits(serial)}`;

/** An order's number as people see it: O-000123. */
export const orderNumber = (serial: number) => `O-${sixDigits(serial)}`;

/** A lead's number as people see it: L-000123. */
export const leadNumber = (serial: number) => `L-${sixDigits(serial)}`;

/** A contract's number as people see it: C-000123. */
export const contractNumber = (serial: number) => `C-${sixDigits(serial)}`;

/** An incident's number as people see it: I-000123. */
export const incidentNumber = (serial: number) => `I-${sixDigits(serial)}`;

const sixDigits = (serial: number) => String(serial).padStart(6, "0");
