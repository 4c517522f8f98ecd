import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * The least a server can do for a page: send the bytes and headers it was given for an address, in a process of its
 * own.
 */
export interface BarePage {
  path: string;
  headers: string[];
  /** In base64, because it arrives in a message. */
  body: string;
}

process.once("message", (pages: BarePage[]) => {
  const answers = new Map(
    pages.map(({ path, headers, body }) => [path, { headers, body: Buffer.from(body, "base64") }]),
  );
  const server = createServer((request, response) => {
    const answer = answers.get(request.url ?? "");
    if (answer) response.writeHead(200, answer.headers).end(answer.body);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
});
process.once("disconnect", () => process.exit(0));
