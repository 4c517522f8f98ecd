import type { BenchedProduct } from "./measure.ts";

/** Calls My Quotes for a signed-in person, one call after the other, with a person's pause in between. */
export async function askInTurn({ product }: BenchedProduct, token: string, forMs: number, pauseMs: number) {
  const until = performance.now() + forMs;
  const times: number[] = [];
  let asked = 0;
  while (performance.now() < until) {
    asked++;
    const began = performance.now();
    const answer = await fetch(`${product.url}/api/user/get-estimation`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: "{}",
    }).catch(() => null);
    await answer?.arrayBuffer();
    if (answer?.ok) times.push(performance.now() - began);
    await new Promise((next) => setTimeout(next, pauseMs));
  }
  return { asked, times };
}
