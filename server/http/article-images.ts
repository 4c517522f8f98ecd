import type { Hono } from "hono";
import { LRUCache } from "lru-cache";
import { pictureFile, pictureForms, pictureWidths } from "../../contract/post-states.ts";
import { notFound } from "../failures/failure.ts";
import { isOutage } from "../failures/outage.ts";
import { contentTypeOf } from "../outside/files/open-file-store.ts";
import type { Services } from "../services.ts";

const keptBytes = 16_000_000;
const address = /^([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})-(\d{3,4})\.([a-z]{4})$/;

/** Serves header images of articles, from the store and then from memory: the image at an address never changes. */
export function mountArticleImages(server: Hono, services: Services): void {
  const kept = new LRUCache<string, Uint8Array<ArrayBuffer>>({
    maxSize: keptBytes,
    sizeCalculation: ({ byteLength }) => byteLength + 1,
  });
  const read = async (name: string) => {
    const known = kept.get(name);
    if (known) return known;
    const bytes = await services.files.read(name).catch((error: unknown) => {
      throw isOutage(error) ? error : notFound("This image");
    });
    const copy = new Uint8Array(bytes);
    kept.set(name, copy);
    return copy;
  };
  server.get("/images/articles/:name", async (context) => {
    const name = fileNamed(context.req.param("name"));
    if (!name) throw notFound("This image");
    return context.body(await read(name), 200, {
      "Content-Type": contentTypeOf(name),
      "Cache-Control": "public, max-age=31536000, immutable",
    });
  });
}

/** The file's name in the store, from its address; null for any other address. */
function fileNamed(asked: string): string | null {
  const [, id = "", size = "", ending = ""] = address.exec(asked) ?? [];
  const width = pictureWidths.find((each) => String(each) === size);
  const form = pictureForms.find((each) => each === ending);
  return width && form ? pictureFile(id, width, form) : null;
}
