import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { member } from "../people.ts";
import {
  findBarriers,
  findBarriersAtBothWidths,
  findDialogBarriers,
  follow,
  openSignedIn,
  phone,
} from "../portal-page.ts";
import { watchedCustomer } from "../watched-customer.ts";

let server: TestServer;
let browser: Browser;
/** A customer without a partner. */
let watched: Awaited<ReturnType<typeof watchedCustomer>>;
beforeAll(async () => {
  [server, browser] = await Promise.all([
    startTestServer({ pages: true, work: false, env: { enginesAllowPrivate: true } }),
    sharedBrowser(),
  ]);
  watched = await watchedCustomer(server);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("An administrator finds the worst first, settles what a device is, and adds a rule; a child account only reads", async () => {
  const { customer, admin } = watched;
  const { page, complaints } = await openSignedIn(browser, server, admin, phone);
  await page.goto(`${server.url}/admin/coverage`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  for (const path of ["/admin/coverage/nobody@x.example", "/admin/coverage-rules?of=nobody@x.example"]) {
    await follow(page, path, path.split("?")[0] ?? "");
    await page.getByRole("alert").getByText("There is no customer with this e-mail address.").waitFor();
    expect(await page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  }
  // The browser itself logs the 404s.
  complaints.length = 0;
  await follow(page, `/admin/coverage/${customer.email}`, `/admin/coverage/${customer.email}`);
  await page.getByText("All 12 contracted devices are connected.").waitFor();
  await page.getByRole("button", { name: "Type not settled" }).click();
  await page.getByText("24 of 24").waitFor();
  await page.getByRole("button", { name: "Settle pc-office-1", exact: true }).click();
  const settling = page.getByRole("dialog", { name: "What is pc-office-1?" });
  await settling.getByLabel("Device type").selectOption({ label: "Workstation" });
  expect(await findDialogBarriers(page)).toEqual([]);
  await settling.getByRole("button", { name: "It is this" }).click();
  await page.getByText("23 of 23").waitFor();
  await page.getByRole("link", { name: "Rules and limits" }).click();
  await page.getByRole("button", { name: "Add a rule" }).click();
  const adding = page.getByRole("dialog", { name: "Add a rule" });
  await adding.getByRole("button", { name: "Add the rule" }).click();
  await adding.getByText("Please enter what it is like").waitFor();
  await adding.getByLabel("Is like").fill("pc-*");
  await adding.getByLabel("Device type").selectOption({ label: "Workstation" });
  expect(await findDialogBarriers(page)).toEqual([]);
  await adding.getByRole("button", { name: "Add the rule" }).click();
  await page.getByText("pc-*", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Set a limit" }).click();
  const limiting = page.getByRole("dialog", { name: "Silence limit" });
  await limiting.getByLabel("Device type").selectOption({ label: "Firewall" });
  await limiting.getByLabel("Silent after so many minutes without an event").fill("90");
  await limiting.getByRole("button", { name: "Save" }).click();
  await page.getByText("1 h 30 min").waitFor();
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.getByRole("link", { name: "Back to the coverage" }).click();
  await page.getByText("24 × Workstation", { exact: true }).first().waitFor();
  // Moves the pointer off the toast at the top, which stays while the pointer is over it.
  await page.mouse.move(195, 700);
  await page.getByRole("link", { name: "All customers" }).click();
  await page.getByRole("link", { name: "View Kaveri Textiles" }).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);

  const child = await member(server, "adminChild", { organisationId: admin.organisationId });
  const theirs = await openSignedIn(browser, server, child, phone);
  await theirs.page.goto(`${server.url}/admin/coverage-rules?of=${customer.email}`);
  await theirs.page.getByText("pc-*", { exact: true }).waitFor();
  expect(await theirs.page.getByRole("button", { name: /^(Add|Edit|Set|Remove|Change)/ }).count()).toBe(0);
  expect(theirs.complaints).toEqual([]);

  // Removing a rule changes the types of devices, so the screen asks first.
  await follow(page, `/admin/coverage-rules?of=${customer.email}`, "/admin/coverage-rules");
  await page.getByRole("button", { name: "Remove the rule pc-*" }).click();
  const removing = page.getByRole("dialog", { name: "Remove the rule" });
  await removing.getByText("pc-*").waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  await removing.getByRole("button", { name: "Remove" }).click();
  await page.getByRole("button", { name: "Remove the rule pc-*" }).waitFor({ state: "detached" });
  expect(complaints).toEqual([]);
});

it("A partner sees its own customers' coverage, and no other's", async () => {
  const partner = await member(server, "partner");
  const { customer } = await watchedCustomer(server, { partnerId: partner.organisationId });
  const { page, complaints } = await openSignedIn(browser, server, partner, phone);
  await page.goto(`${server.url}/partner/coverage`);
  await page.getByText("1 of 1").waitFor();
  await page.getByRole("link", { name: "View Kaveri Textiles" }).click();
  await page.waitForURL(`${server.url}/partner/coverage/${customer.email}`);
  await page.getByText("All 12 contracted devices are connected.").waitFor();
  expect(await page.getByRole("link", { name: "Add all to a quote" }).getAttribute("href")).toContain(
    `/partner/estimator/${customer.email}?add=`,
  );
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
  const others = `/partner/coverage/${watched.customer.email}`;
  await follow(page, others, others);
  await page.getByRole("alert").getByText("This is not one of your customers.").waitFor();
  expect(await page.getByText("srv-erp-1").count()).toBe(0);
});

// Last, because it turns the clock, after which the data of the other tests are out of date.
it("A customer sees what is silent and whose move it is, and adds what is not contracted to an estimate", async () => {
  const { customer, silence, poll } = await watchedCustomer(server);
  for (const id of ["005", "006", "007"]) silence(id, server.services.now());
  server.passTime(3660);
  await poll();
  const { page, complaints } = await openSignedIn(browser, server, customer, phone);
  // As for a customer who may open its engine: each device links to its page there.
  await page.route("**/api/user/coverage/devices*", async (route) => {
    const answer = await route.fetch();
    const { devices, ...rest } = (await answer.json()) as { devices: object[] };
    const led = devices.map((device) => ({ ...device, link: "https://engine.example/device" }));
    await route.fulfill({ response: answer, json: { ...rest, devices: led } });
  });
  await page.goto(`${server.url}/user/coverage`);
  await page.getByText("11 of 12 contracted devices are connected.").waitFor();
  await page.getByText("Their agent answers, but no event comes.").waitFor();
  await page.getByText("1 × Prod Server", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Export CSV: by device type", exact: true }).waitFor();
  await page.getByRole("link", { name: /^srv-erp-1 in Wazuh/ }).waitFor();
  await page.getByRole("button", { name: /^Show them: .* Their agent answers/ }).click();
  await page.getByText("6 of 6").waitFor();
  await page.getByRole("button", { name: "Silent", exact: true, pressed: true }).waitFor();
  await page.getByText("srv-erp-1", { exact: true }).waitFor();
  expect(await page.getByText("srv-mes-1", { exact: true }).count()).toBe(0);
  expect(await findBarriersAtBothWidths(page)).toEqual([]);
  await page.unroute("**/api/user/coverage/devices*");
  await page.getByRole("link", { name: "Add to a quote: 2 Prod Server", exact: true }).click();
  await page.waitForURL(`${server.url}/user/estimator`);
  await page.getByRole("region", { name: "Selected devices" }).getByText("Prod Server").waitFor();
  await page.reload();
  expect(await page.getByRole("spinbutton", { name: "Prod Server", exact: true }).inputValue()).toBe("2");
  expect(complaints).toEqual([]);

  const child = await member(server, "userChild", { organisationId: customer.organisationId });
  const theirs = await openSignedIn(browser, server, child, phone);
  await theirs.page.goto(`${server.url}/user/coverage`);
  await theirs.page.getByText("2 connected, 0 silent").or(theirs.page.getByText("2 × Prod Server")).first().waitFor();
  expect(await theirs.page.getByRole("link", { name: /^Add/ }).count()).toBe(0);
  await theirs.page.getByText("The main user of your organization can add them to its contract").waitFor();
  expect(theirs.complaints).toEqual([]);
});
