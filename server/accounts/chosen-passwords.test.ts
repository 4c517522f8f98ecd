import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { customer, registration } from "../../tests/factories.ts";
import { startTestServer, type TestServer } from "../../tests/harness.ts";
import { rateLimits } from "../database/schema/index.ts";
import { createAdministrator } from "./administrators.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  await server.services.database.delete(rateLimits);
});

const secretMailed = async (email: string) =>
  /#token=([\w-]+)/.exec((await server.mailbox.take(email, /set a new|invited/i)).text ?? "")?.[1] ?? "";

/** Every way in which somebody of Kaveri Textiles chooses a password. Each answers the names of the refused fields. */
const ways: Record<string, (password: string) => Promise<string[]>> = {
  async registering(password) {
    const { body } = await server.call("auth/register", registration({ password, confirmPassword: password }));
    return Object.keys(body.fields ?? {});
  },
  async resetting(password) {
    const { email } = await customer(server);
    await server.call("auth/forgot-password", { email });
    const token = await secretMailed(email);
    const { body } = await server.call("auth/reset-password", {
      token,
      newPassword: password,
      confirmPassword: password,
    });
    return Object.keys(body.fields ?? {});
  },
  async changing(password) {
    const { token, password: currentPassword } = await customer(server);
    const { body } = await server.call(
      "auth/change-password",
      { currentPassword, newPassword: password, confirmPassword: password },
      token,
    );
    return Object.keys(body.fields ?? {});
  },
  async accepting(password) {
    const { token } = await customer(server);
    const { email } = registration();
    const child = { firstName: "Ravi", lastName: "Nair", email, phoneNo: "+919876543211" };
    await server.call("user/create-child-user", child, token);
    const { body } = await server.call("auth/accept-invite", {
      token: await secretMailed(email),
      password,
      confirmPassword: password,
    });
    return Object.keys(body.fields ?? {});
  },
};
const madeOfTheName = "Kaveri-Textiles-Prahari-Kaveri-Textiles-2026-!";

test.each(Object.entries(ways))("%s with a long repeat or the organisation's name is refused", async (_way, choose) => {
  for (const password of ["password".repeat(6), madeOfTheName])
    expect(await choose(password)).toEqual([expect.stringMatching(/^(password|newPassword)$/)]);
});

test("making an administrator with a long repeat or the provider's name is refused", async () => {
  const person = { email: registration().email, firstName: "Meera", lastName: "Pillai" };
  for (const password of ["password".repeat(6), "Prahari Managed Security Private Limited 2026"])
    await expect(createAdministrator(server.services.database, { ...person, password })).rejects.toMatchObject({
      fields: { password: expect.stringContaining("guessed") },
    });
});
