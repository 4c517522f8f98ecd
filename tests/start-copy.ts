import { mountDemo } from "../server/demo/mount-demo.ts";
import { openLog } from "../server/failures/log.ts";
import { openPages } from "../server/http/pages.ts";
import { createServer, listen } from "../server/http/server.ts";
import { openServices } from "../server/open.ts";
import { builtSite, type TestServer } from "./harness.ts";

export interface Copy {
  url: string;
  stop(): Promise<void>;
}

/**
 * A second copy of the product in this process. It shares only the database with the first, as a copy in another
 * process would.
 */
export async function startCopy(server: TestServer): Promise<Copy> {
  const listener = await listen("127.0.0.1", 0);
  const url = `http://127.0.0.1:${listener.port}`;
  const { env } = server.services;
  const services = await openServices(
    env,
    { databaseUrl: server.databaseUrl, publicUrl: url, internalUrl: url },
    { log: openLog({ logLevel: "silent" }) },
  );
  const site = await builtSite();
  const pages = site && (await openPages(site, services));
  listener.serve(createServer(services, pages, mountDemo), pages);
  return {
    url,
    async stop() {
      await listener.close(2000);
      await services.close();
    },
  };
}
