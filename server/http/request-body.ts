import type { Context } from "hono";
import { limits } from "../../contract/limits.ts";
import type { Operation } from "../../contract/operation.ts";
import { Failure } from "../failures/failure.ts";

/**
 * The input as far as it can be read without the operation's schema. @throws Failure not_json, too_large or malformed.
 */
export async function readSent(context: Context, { method, takes, bodyBytesMax }: Operation): Promise<unknown> {
  if (method === "get") return { ...context.req.query(), ...context.req.param() };
  return takes ? { bytes: await readBytes(context, bodyBytesMax) } : readJson(context, bodyBytesMax);
}

/** The body as JSON; an empty one counts as {}. @throws Failure not_json, too_large or malformed. */
async function readJson(context: Context, bytesMax?: number): Promise<unknown> {
  const text = await readText(context, bytesMax);
  if (text === "") return {};
  if (!/^application\/json\s*(;|$)/i.test(context.req.header("content-type") ?? ""))
    throw new Failure("not_json", "Please send JSON with the content type application/json.");
  try {
    return JSON.parse(text);
  } catch {
    throw new Failure("malformed", "The body is not valid JSON.");
  }
}

/** The raw body as text. @throws Failure too_large. */
export const readText = async (context: Context, bytesMax?: number): Promise<string> =>
  (await readBytes(context, bytesMax)).toString("utf8");

/** The raw body, at most `bytesMax` bytes. @throws Failure too_large. */
async function readBytes(context: Context, bytesMax: number = limits.bodyBytesMax): Promise<Buffer> {
  const tooLarge = () => new Failure("too_large", `Please send at most ${sizeOf(bytesMax)}.`);
  const announced = context.req.header("content-length");
  if (Number(announced ?? 0) > bytesMax) throw tooLarge();
  try {
    // At most the announced length arrives, so it need not be counted: the fast way, without a stream.
    if (announced !== undefined) return Buffer.from(await context.req.arrayBuffer());
    return await readCounted(context, bytesMax, tooLarge);
  } catch (error) {
    if (!isHungUp(error)) throw error;
    // Nobody will read this: the client hung up, or took so long that the server did.
    throw new Failure("malformed", "The body ended early.");
  }
}

const sizeOf = (bytes: number) =>
  bytes < 1024 ** 2 ? `${bytes / 1024} kB` : `${Math.floor((bytes * 10) / 1024 ** 2) / 10} MB`;

function isHungUp(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (error as NodeJS.ErrnoException).code === "ECONNRESET" || /prematurely closed/.test(error.message);
}

async function readCounted(context: Context, bytesMax: number, tooLarge: () => Failure): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of context.req.raw.body ?? []) {
    size += chunk.byteLength;
    if (size > bytesMax) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
