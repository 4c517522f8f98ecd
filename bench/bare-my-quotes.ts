import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "pg";

/** The least a server can do for My Quotes: the same two prepared statements, with their results as JSON. */
interface Statement {
  name: string;
  text: string;
}
const [databaseUrl, max, actorText = "", listText = "", limit] = process.argv.slice(2);
const findActor: Statement = { name: "find_actor", text: actorText };
const listQuotes: Statement = { name: "list_quotes", text: listText };

const pool = new Pool({ connectionString: databaseUrl, max: Number(max) });

const server = createServer((request, response) => {
  request.resume().once("end", () => void answer(request.headers.authorization, response));
});

async function answer(sessionId: string | undefined, response: ServerResponse): Promise<void> {
  const actors = await pool.query({ ...findActor, values: [sessionId, new Date()] });
  const quotes = await pool.query({ ...listQuotes, values: [actors.rows[0].organisation_id, Number(limit)] });
  const body = JSON.stringify({ estimation: quotes.rows });
  response.setHeader("Content-Type", "application/json");
  response.setHeader("Content-Length", Buffer.byteLength(body));
  response.end(body);
}

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.once("disconnect", () => process.exit(0));
