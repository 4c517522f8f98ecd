import type { Context } from "hono";
import { existsSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ServerBuild } from "react-router";
import { type BuiltFile, keepFiles, readFiles } from "./built-files.ts";
import { sendKept, shrinkLater, writeKept } from "./kept-answer.ts";
import { KeptPages } from "./kept-pages.ts";
import { pageAddresses } from "./page-address.ts";
import { openRenderer } from "./rendered-pages.ts";
import type { Services } from "../services.ts";

export interface Pages {
  answer(context: Context): Promise<Response>;
  /** Answers from memory; returns false, and does nothing, for everything else. */
  answerAtOnce(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The parts of the built site that need no database. */
export interface Site {
  build: ServerBuild;
  files: BuiltFile[];
}

/** Reads the site that was built into a folder; null where none was. */
export async function readSite(buildFolder: string): Promise<Site | null> {
  const program = join(buildFolder, "server/index.js");
  if (!existsSync(program)) return null;
  const files = readFiles(join(buildFolder, "client"));
  return { build: (await import(pathToFileURL(program).href)) as ServerBuild, files };
}

/** Serves a built site from memory: its files, and pages rendered when they are first asked for. */
export async function openPages({ build, files: built }: Site, services: Services): Promise<Pages> {
  const files = await keepFiles(built, services);
  const addressOf = pageAddresses(build);
  const render = openRenderer(build, services);
  const pages = new KeptPages(render, services.now);
  services.siteTexts.drawBy(async (path, texts) => {
    const { answer } = await render(path, texts);
    return new TextDecoder().decode(answer.bytes.identity ?? undefined);
  });
  /** A prebuilt page has the shipped texts: it is valid only while the site uses those. */
  const findFile = (path: string) => {
    const file = files.get(path);
    if (!file || (file.isPage && !services.siteTexts.areShipped())) return undefined;
    file.isShrunk ||= shrinkLater(file.answer);
    return file.answer;
  };
  // Triggers on the tables that pages show notify in the transaction that changes them.
  await services.watch.listen(
    "content",
    () => pages.forget(),
    () => pages.trust(),
    () => pages.doubt(),
  );
  return {
    async answer(context) {
      const path = safeDecode(context.req.path);
      const file = findFile(path) ?? findFile(path.replace(/\/$/, ""));
      if (file) return sendKept(context, file);
      const { pathname, search } = new URL(context.req.url);
      return sendKept(context, await pages.answer(addressOf(pathname, search)));
    },
    answerAtOnce(request, response) {
      if (request.method !== "GET" && request.method !== "HEAD") return false;
      const [, path = "", search = ""] = plainAddress.exec(request.url ?? "") ?? [];
      const kept = findFile(path) ?? pages.find(addressOf(path, search));
      if (kept) writeKept(request, response, kept);
      return kept !== null;
    },
  };
}

/** An address that needs no decoding or normalisation; all others go through the application. */
const plainAddress = /^((?:\/[\w-][\w.-]*)+|\/)((?:\?[\w\-.=&+%]*)?)$/;

function safeDecode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
