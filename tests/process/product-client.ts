import { askApi } from "../ask-api.ts";
import type { Mailbox, TestServer } from "../harness.ts";

/** Calls a product in a process of its own, as the harness calls one inside the test. */
export const clientOf = (url: string, mailbox: Mailbox): Pick<TestServer, "call" | "mailbox"> => ({
  ...callerOf(url),
  mailbox,
});

/** The same without a mailbox. */
export function callerOf(url: string): Pick<TestServer, "call"> {
  let publicToken: string | undefined;
  const call: TestServer["call"] = async (name, input, bearer) => {
    if (bearer === undefined && name !== "generate-token")
      bearer = publicToken ??= (await call("generate-token", undefined, null)).body.token;
    const answer = await askApi(url, name, input, bearer);
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
  };
  return { call };
}
