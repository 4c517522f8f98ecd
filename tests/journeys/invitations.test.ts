import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "../../contract/messages.ts";
import { quoteRequest, registration } from "../factories.ts";
import { leaveBrowser, openPage, openQuiet, sharedBrowser } from "../browser.ts";
import { startTestServer, type TestServer } from "../harness.ts";
import { type Member, member } from "../people.ts";
import { findBarriers, findBarriersAtBothWidths, openSignedIn, phone } from "../portal-page.ts";
import { rateLimits } from "../../server/database/schema/index.ts";

let server: TestServer;
let browser: Browser;
beforeAll(async () => {
  [server, browser] = await Promise.all([startTestServer({ pages: true }), sharedBrowser()]);
});
afterAll(async () => {
  await leaveBrowser(browser);
  await server?.stop();
});
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const form = () => ({ ...registration({ firstName: "Ravi", lastName: "Nair" }), phoneNo: "9800000001" });
const linkMailed = async (email: string) =>
  /http\S+#token=[\w-]+/.exec((await server.mailbox.take(email, /invited/i)).text ?? "")?.[0] ?? "";
describe("Invitations", () => {
  /** The screens that list each kind of invitation, and the people who see them. */
  const lists: [string, (partner: Member) => Promise<{ owner: Member; add: () => Promise<unknown>; email: string }>][] =
    [
      [
        "/user/myuser",
        async () => {
          const [owner, child] = [await member(server, "user"), form()];
          return { owner, email: child.email, add: () => server.call("user/create-child-user", child, owner.token) };
        },
      ],
      [
        "/partner/listuser",
        async (owner) => {
          const customer = form();
          return { owner, email: customer.email, add: () => server.call("partner/create-user", customer, owner.token) };
        },
      ],
      [
        "/admin/partnerList",
        async () => {
          const [owner, partner] = [await member(server, "admin"), form()];
          return {
            owner,
            email: partner.email,
            add: () => server.call("admin/createPartnerByAdmin", partner, owner.token),
          };
        },
      ],
    ];

  it.each(lists)("%s shows who is invited; an invitation is sent again, kept, and withdrawn", async (path, prepare) => {
    const { owner, add, email } = await prepare(await member(server, "partner"));
    await add();
    const { page, complaints } = await openSignedIn(browser, server, owner, phone);
    await page.goto(server.url + path);
    if (path.startsWith("/admin")) await page.getByRole("searchbox").fill(email);
    const badges = page.getByText("Invited", { exact: true }).locator("visible=true");
    await expect.poll(() => badges.count()).toBe(1);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    const first = await linkMailed(email);
    await page.getByRole("button", { name: "Resend the invitation of Ravi Nair" }).locator("visible=true").click();
    await page.getByText(messages.invitationResent).waitFor();
    const second = await linkMailed(email);
    expect(second).not.toBe(first);

    const withdraw = page.getByRole("button", { name: "Withdraw the invitation of Ravi Nair" }).locator("visible=true");
    await withdraw.click();
    const dialog = page.getByRole("dialog", { name: "Withdraw the invitation" });
    await dialog.getByText(email).waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await withdraw.click();
    await dialog.getByRole("button", { name: "Withdraw" }).click();
    await page.getByText(messages.invitationWithdrawn).waitFor();
    await expect.poll(() => withdraw.count()).toBe(0);
    expect(complaints).toEqual([]);

    const { page: invitee } = await openPage(browser, phone);
    await invitee.goto(second);
    await invitee.getByRole("alert").getByText("This invitation was withdrawn.").waitFor();
    expect(await findBarriersAtBothWidths(invitee)).toEqual([]);
  });

  it("whoever is invited reads by whom and to what, decides about earlier estimates, and joins by a password", async () => {
    const owner = await member(server, "user", { organizationName: "Kaveri Textiles" });
    const child = form();
    for (let asked = 0; asked < 2; asked++) await server.call("estimator", quoteRequest({ userEmail: child.email }));
    await server.call("user/create-child-user", child, owner.token);
    const { page, complaints } = await openPage(browser, phone);
    await page.goto(await linkMailed(child.email));
    await page.getByRole("heading", { name: "Join Kaveri Textiles" }).waitFor();
    await page.getByText("Asha Rao has invited you.").waitFor();
    // The secret leaves the address bar at once.
    expect(page.url()).toBe(`${server.url}/accept-invite`);
    const agreed = page.getByRole("checkbox", { name: /the 2 estimates I asked for .+ to Kaveri Textiles/ });
    expect(await agreed.isChecked()).toBe(false);
    expect((await agreed.boundingBox())?.width).toBeLessThan(40);
    expect((await page.locator("form svg").last().boundingBox())?.width ?? 0).toBeLessThan(40);
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    await page.getByLabel("Password", { exact: true }).fill("Ravi Nair 2026");
    await page.getByLabel("Confirm password").fill("Ravi Nair 2026");
    await agreed.check();
    await page.getByRole("button", { name: "Accept and join" }).click();
    await page.getByText("This password is among the first that are guessed").first().waitFor();
    expect(await agreed.isChecked()).toBe(true);
    const secret = "seven blue tables 77";
    await page.getByLabel("Password", { exact: true }).fill(secret);
    await page.getByLabel("Confirm password").fill(secret);
    await page.getByRole("button", { name: "Accept and join" }).click();
    await page.getByRole("status").getByText("Your password is set. Please sign in.").waitFor();
    expect(await findBarriersAtBothWidths(page)).toEqual([]);
    const { body } = await server.call("user/get-estimation", {}, owner.token);
    expect(body.total).toBe(2);

    await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
    await page.getByLabel("Email").fill(child.email);
    await page.getByLabel("Password", { exact: true }).fill(secret);
    await page.getByRole("button", { name: "Login" }).click();
    const mail = await server.mailbox.take(child.email, /sign-in code/);
    await page.getByLabel("6-digit code").fill(/\b\d{6}\b/.exec(mail.text ?? "")?.[0] ?? "");
    await page.getByRole("button", { name: "Verify OTP" }).click();
    await page.waitForURL("**/user/dashboard");
    expect(complaints.filter((complaint) => !complaint.includes("422"))).toEqual([]);
  });
});

it("A stranger who guesses codes while somebody signs in by the page does not keep them out", async () => {
  const person = registration();
  await server.call("auth/register", person);
  const { page } = await openPage(browser);
  await openQuiet(page, `${server.url}/login`);
  await page.getByLabel("Email").fill(person.email);
  await page.getByLabel("Password", { exact: true }).fill(person.password);
  await page.getByRole("button", { name: "Login" }).click();
  const code = /\b\d{6}\b/.exec((await server.mailbox.take(person.email, /sign-in code/)).text ?? "")?.[0] ?? "";
  const guess = { email: person.email, otp: code === "000000" ? "000001" : "000000" };
  const guesses = await Promise.all(Array.from({ length: 120 }, () => server.call("auth/verify-otp", guess)));
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThan(0);
  await page.getByLabel("6-digit code").fill(code);
  await page.getByRole("button", { name: "Verify OTP" }).click();
  await page.waitForURL("**/user/dashboard");
});

it("An invitation that could not be looked up is looked up again: its link is out of the address by then", async () => {
  const owner = await member(server, "user", { organizationName: "Kaveri Textiles" });
  const child = form();
  await server.call("user/create-child-user", child, owner.token);
  const { page } = await openPage(browser, phone);
  await page.route("**/api/auth/invitation", (route) => route.fulfill({ status: 500, body: "{}" }), { times: 1 });
  await page.goto(await linkMailed(child.email));
  const again = page.getByRole("button", { name: "Try again" });
  await again.waitFor();
  expect(await page.getByText("Whoever invited you can send the invitation again.").count()).toBe(0);
  expect(await findBarriers(page)).toEqual([]);
  await again.click();
  await page.getByRole("heading", { name: "Join Kaveri Textiles" }).waitFor();
});

it("A link that was cut off says so", async () => {
  const { page } = await openPage(browser);
  for (const [path, sentence] of [
    ["accept-invite", "This link is not complete. Please open it again from the e-mail."],
    ["confirm-email", "This link is not complete. Please open it again from the e-mail."],
    ["reset-password", "This link is not complete. Please open it again from the e-mail, or ask for a new one."],
  ]) {
    await page.goto(`${server.url}/${path}`);
    await page.getByText(sentence ?? "", { exact: true }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
  }
});
