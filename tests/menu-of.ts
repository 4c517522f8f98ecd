import type { Page } from "playwright-core";

/** The entries of the side navigation, in order. */
export async function menuOf(page: Page): Promise<(string | null)[]> {
  const area = page.getByRole("navigation", { name: "Area" });
  await area.getByText("Sign Out").waitFor();
  // An entry with a count beside it has its visible text as its name.
  return area
    .locator("a, button")
    .evaluateAll((entries) =>
      entries.map((entry) => entry.getAttribute("aria-label") ?? entry.querySelector("span")?.textContent ?? null),
    );
}
