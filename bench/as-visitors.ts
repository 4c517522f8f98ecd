import type autocannon from "autocannon";
import { randomInt } from "node:crypto";

/**
 * Requests as many visitors make them, each from an address of its own, so that no rate limit applies. Needs
 * TRUST_PROXY=1.
 */
export const asVisitors = (token: string, body: () => object): autocannon.Request => ({
  setupRequest: (request) => ({
    ...request,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      "x-forwarded-for": `2001:db8:${randomInt(65536).toString(16)}:${randomInt(65536).toString(16)}::1`,
    },
    body: JSON.stringify(body()),
  }),
});
