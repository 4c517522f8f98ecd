/** The password of every demo account. It is published, so nobody else may choose it. */
export const demoPassword = "sentinel demo 2026";
