import { randomUUID } from "node:crypto";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { writtenDay } from "../../contract/india-time.ts";
import { organisations } from "../../server/database/schema/index.ts";
import { giveBilling } from "../billing.ts";
import { leaveBrowser, sharedBrowser } from "../browser.ts";
import { contractHolder, contractOf } from "../contract.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import {
  findBarriers,
  findDialogBarriers,
  follow,
  hasFocus,
  openSignedIn,
  phone,
  typedAfterEscape,
} from "../portal-page.ts";

let server: TestServer;
let browser: Browser;
let admin: Member;
/** The contract of a customer that no test changes. */
let held: Awaited<ReturnType<typeof contractHolder>>;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true, work: false }), sharedBrowser()]);
  admin = await member(server, "admin", { organizationName: "Provider", firstName: "Meera", lastName: "Iyer" });
  held = await contractHolder(server);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});

it("A customer adds devices to its contract and asks for fewer; an administrator agrees, and both see what it came to", async () => {
  const { person, contract } = await contractHolder(server);
  const { page, complaints } = await openSignedIn(browser, server, person, phone);
  await page.goto(`${server.url}/user/contract`);
  await page.getByRole("heading", { name: `Contract ${contract.number}` }).waitFor();

  await page.getByRole("button", { name: "Add devices" }).click();
  const adding = page.getByRole("dialog", { name: `Add devices to ${contract.number}` });
  await expect.poll(hasFocus(adding.getByLabel("First day"))).toBe(true);
  await adding.getByRole("spinbutton", { name: "Prod Server", exact: true }).fill("3");
  await adding.getByText(/3 × ₹[\d,.]+ a year ÷ 36[56] × 36[56] days/).waitFor();
  expect(await findDialogBarriers(page)).toEqual([]);
  await adding.getByRole("button", { name: "Make the quote" }).click();
  await page.getByText(/^Q-\d{6}: Adds devices$/).waitFor();
  // Navigates within the page, without a reload.
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  await page.getByRole("link", { name: /^Open Q-/ }).click();
  await page.waitForURL(/\/user\/myquote\?search=Q-\d{6}$/);
  expect(await page.evaluate(() => "isSamePage" in window)).toBe(true);
  await page.goBack();

  const askLess = page.getByRole("button", { name: "Ask for less of Prod Server" }).first();
  await askLess.click();
  const asking = page.getByRole("dialog", { name: "Ask for fewer devices" });
  await asking.getByLabel("How many fewer").fill("4");
  const why = asking.getByLabel("Why");
  await why.fill("Four were switched off");
  expect(await typedAfterEscape(page, askLess, why)).toBe("Four were switched off");
  expect(await asking.getByLabel("How many fewer").inputValue()).toBe("4");
  expect(await findDialogBarriers(page)).toEqual([]);
  await asking.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText("Waits for an answer").waitFor();

  const ours = await openSignedIn(browser, server, admin, phone);
  await ours.page.goto(`${server.url}/admin/contracts`);
  await ours.page.getByRole("button", { name: "To decide" }).click();
  await ours.page
    .getByRole("button", { name: `View ${contract.number}` })
    .locator("visible=true")
    .click();
  const decideLess = ours.page.getByRole("button", { name: "Decide about Prod Server" });
  await decideLess.click();
  const deciding = ours.page.getByRole("dialog", { name: "Decide about fewer devices" });
  await deciding.getByText(/Credit note over ₹[\d,.]+, tax included/).waitFor();
  const answer = deciding.getByLabel("Answer");
  await answer.fill("As you asked");
  expect(await typedAfterEscape(ours.page, decideLess, answer)).toBe("As you asked");
  expect(await findDialogBarriers(ours.page)).toEqual([]);
  await deciding.getByRole("button", { name: "Agree" }).click();
  await ours.page.getByText("Devices taken away").waitFor();
  expect(await findDialogBarriers(ours.page)).toEqual([]);

  await page.reload();
  await page.getByText("4 × Prod Server", { exact: true }).waitFor();
  await page.getByText("Answer: As you asked").waitFor();
  expect((await contractOf(server, person)).devices).toBe(8);
  expect(await findBarriers(page)).toEqual([]);

  // Devices that no customer asked to remove are taken away in the same way.
  await ours.page.getByRole("button", { name: "Take away of Firewall" }).click();
  const taking = ours.page.getByRole("dialog", { name: "Take devices away" });
  await taking.getByLabel("Why").fill("Not paid");
  expect(await findDialogBarriers(ours.page)).toEqual([]);
  await taking.getByRole("button", { name: "Go on" }).click();
  await ours.page.getByRole("button", { name: "Decide about Firewall" }).click();
  await deciding.getByText("1 × Firewall are to be taken away from").waitFor();
  await deciding.getByRole("button", { name: "Cancel" }).click();
  await page.reload();
  await page.getByText("1 × Firewall less").waitFor();
  expect(await page.getByRole("button", { name: "Take back" }).count()).toBe(0);
  expect([...complaints, ...ours.complaints]).toEqual([]);
  // Leaves the next test nothing but its own requests to decide.
  const waiting = (await contractOf(server, person)).requests.find(({ state }) => state === "asked");
  const refused = { id: waiting?.id ?? "", agreed: false, effective_on: null, answer: "Paid after all" };
  expect((await server.call("admin/contracts/decide-less", refused, admin.token)).status).toBe(200);
});

it("An administrator finds added devices that wait for their rates, confirms them, and nothing is left to decide", async () => {
  const { person, contract } = await contractHolder(server);
  const asked = {
    contract_id: contract.id,
    selectedDevices: [{ service: "Customization", deviceType: "Mainframe", number: 1 }],
    from: writtenDay(server.services.now()),
  };
  const { body: price } = await server.call("user/contracts/price-addition", asked, person.token);
  const made = { ...asked, quote_id: randomUUID(), total_cost: price.total };
  expect((await server.call("user/contracts/add-devices", made, person.token)).status).toBe(201);

  const { page, complaints } = await openSignedIn(browser, server, admin, phone);
  await page.goto(`${server.url}/admin/contracts`);
  await page.getByRole("button", { name: "To decide" }).click();
  const view = page.getByRole("button", { name: `View ${contract.number}` }).locator("visible=true");
  await view.click();
  await page.getByRole("button", { name: /^Rates of Q-\d{6} to confirm$/ }).click();
  await page.getByRole("button", { name: "Confirm rates" }).click();
  await page.getByText("Nothing to decide").waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("A partner finds the contracts of its customers, in their list and in the customer's panel", async () => {
  const partner = await member(server, "partner", { organizationName: "Malabar" });
  const { person, contract } = held;
  await server.services.database
    .update(organisations)
    .set({ partnerId: partner.organisationId })
    .where(eq(organisations.id, person.organisationId));
  const { page, complaints } = await openSignedIn(browser, server, partner, phone);
  await page.goto(`${server.url}/partner/contracts`);
  await page
    .getByRole("button", { name: `View ${contract.number}` })
    .locator("visible=true")
    .click();
  await page.getByRole("heading", { name: "What it holds" }).waitFor();
  expect(await page.getByRole("button", { name: "Ask for less" }).count()).toBe(0);
  await page.getByRole("button", { name: "Add devices" }).waitFor();
  expect(await findBarriers(page)).toEqual([]);
  await follow(page, `/partner/listuser?open=${person.email}`, "/partner/listuser");
  await page.getByRole("region", { name: "Contracts" }).getByText(contract.number).first().waitFor();
  expect(await findBarriers(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it("A customer chooses that the offer for the next year is accepted by itself, and takes it back", async () => {
  const { person, contract } = held;
  const { page, complaints } = await openSignedIn(browser, server, person, phone);
  await page.goto(`${server.url}/user/contract`);
  await page.getByRole("button", { name: "Renew by itself", exact: true }).click();
  await page.getByText(/^Chosen by Asha Rao on/).waitFor();

  // Adds a second contract from the next response on: the chosen contract stays chosen until a link names another.
  await page.route("**/api/user/contracts", async (route) => {
    const answer = await route.fetch();
    const { contracts } = (await answer.json()) as { contracts: object[] };
    const second = { ...contracts[0], id: randomUUID(), number: "C-000099" };
    await route.fulfill({ response: answer, json: { contracts: [...contracts, second] } });
  });
  await page.getByRole("button", { name: "Do not renew by itself" }).click();
  await page.getByRole("button", { name: "Renew by itself", exact: true }).waitFor();
  await page.getByText(/^You can choose that it renews by itself/).waitFor();
  const shown = (number: string) => page.getByRole("heading", { name: `Contract ${number}` }).waitFor();
  await page.getByRole("button", { name: contract.number, exact: true }).click();
  await shown(contract.number);
  await follow(page, "/user/contract?contract=C-000099", "/user/contract");
  await shown("C-000099");
  await page.emulateMedia({ media: "print" });
  expect(await page.getByRole("button", { name: contract.number, exact: true }).isVisible()).toBe(false);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("button", { name: contract.number, exact: true }).click();
  await shown(contract.number);
  await page.reload();
  await shown(contract.number);
  expect(complaints).toEqual([]);

  const child = await member(server, "userChild", { organisationId: person.organisationId });
  const theirs = await openSignedIn(browser, server, child, phone);
  await theirs.page.goto(`${server.url}/user/contract`);
  await theirs.page
    .getByText(/^The person who answers for your organization can choose that it renews by itself/)
    .waitFor();
  await giveBilling(server, person.email);
  await follow(theirs.page, "/user/billing", "/user/billing");
  await theirs.page.getByText("The person who answers for your organization can change them.").waitFor();
});
