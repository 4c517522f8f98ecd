import { z } from "zod";
import type { EngineApi } from "../engine-api.ts";
import type { Remark } from "../engine.ts";

const Comments = z.array(z.object({ message: z.string().nullish() }));
const Made = z.object({ _id: z.string() });

/** Writes a comment on the case. Its last line marks the remark, so that a retry finds it. */
export async function writeComment(api: EngineApi, { incident, id, text }: Remark): Promise<void> {
  const mark = `portal:${id}`;
  const comments = await api.post(
    Comments,
    "/api/v1/query",
    { query: [{ _name: "getCase", idOrName: incident }, { _name: "comments" }] },
    { name: "case-comments" },
  );
  if (comments.some(({ message }) => message?.includes(mark))) return;
  await api.post(Made, `/api/v1/case/${encodeURIComponent(incident)}/comment`, { message: `${text}\n\n${mark}` });
}
