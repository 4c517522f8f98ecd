import type { Locator } from "playwright-core";

/** Fills the panel in which an administrator makes a quote for somebody new: five servers for Yamuna Pumps. */
export async function fillNewQuote(panel: Locator): Promise<void> {
  await panel.getByRole("textbox", { name: "Organization", exact: true }).fill("Yamuna Pumps");
  await panel.getByRole("textbox", { name: "Name", exact: true }).fill("Asha Rao");
  await panel.getByRole("textbox", { name: "Email" }).fill("asha@yamuna-pumps.example");
  await panel.getByRole("textbox", { name: "Phone" }).fill("+919876543210");
  await panel.getByLabel("Number of users").fill("40");
  await panel.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("5");
  await panel.getByText("5 × Prod Server").waitFor();
}
