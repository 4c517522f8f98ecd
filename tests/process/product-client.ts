import { operations } from "../../contract/operations.ts";
import type { Mailbox, TestServer } from "../harness.ts";

/** Calls a product that runs as a process of its own, as the harness does with one inside the test. */
export function clientOf(url: string, mailbox: Mailbox): Pick<TestServer, "call" | "mailbox"> {
  let publicToken: string | undefined;
  const call: TestServer["call"] = async (name, input, bearer) => {
    if (bearer === undefined && name !== "generate-token")
      bearer = publicToken ??= (await call("generate-token", undefined, null)).body.token;
    const isGet = operations[name].method === "get";
    const answer = await fetch(`${url}/api/${name}`, {
      method: isGet ? "GET" : "POST",
      headers: {
        ...(bearer && { authorization: `Bearer ${bearer}` }),
        ...(!isGet && { "content-type": "application/json" }),
      },
      ...(!isGet && { body: JSON.stringify(input ?? {}) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as never };
  };
  return { call, mailbox };
}
