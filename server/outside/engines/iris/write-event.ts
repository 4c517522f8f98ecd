import { z } from "zod";
import type { EngineApi } from "../engine-api.ts";
import type { Remark } from "../engine.ts";

const Timeline = z.object({
  data: z.object({ timeline: z.array(z.object({ event_tags: z.string().nullish() })) }),
});
const Added = z.object({ status: z.literal("success") });

/** In 2.4 cases have no comments: a remark becomes an event in the case's timeline, recognised again by its tag. */
export async function writeEvent(api: EngineApi, { incident, id, text, at }: Remark): Promise<void> {
  const tag = `portal:${id}`;
  const { data } = await api.get(Timeline, "/case/timeline/events/list", { cid: incident });
  if (data.timeline.some(({ event_tags: tags }) => tags?.split(",").includes(tag))) return;
  const [title = ""] = text.split("\n");
  await api.post(
    Added,
    "/case/timeline/events/add",
    {
      event_title: title.slice(0, 200),
      event_content: text,
      // The API wants the time without a zone, which is its own field.
      event_date: at.toISOString().replace("Z", ""),
      event_tz: "+00:00",
      event_category_id: 1,
      event_source: "Portal",
      event_tags: tag,
      event_assets: [],
      event_iocs: [],
      event_in_summary: false,
      event_in_graph: false,
      event_color: "",
      event_raw: "",
    },
    { cid: incident },
  );
}
