import { z } from "zod";
import type { EngineApi } from "../engine-api.ts";

/** What an installation's numeric ids mean: they differ between installations. */
export interface Names {
  /** The word for a severity, from the record itself or from the installation's list; empty where neither has it. */
  severity(record: {
    severity?: { severity_name?: string | null | undefined } | null | undefined;
    id: number | null | undefined;
  }): string;
  /** Reads the installation's list once. */
  load(): Promise<void>;
}

const Severities = z.object({ data: z.array(z.object({ severity_id: z.number(), severity_name: z.string() })) });

export function openNames(api: EngineApi): Names {
  let severities: Promise<Map<number, string>> | null = null;
  let known = new Map<number, string>();
  return {
    async load() {
      severities ??= api
        .get(Severities, "/manage/severities/list")
        .then(({ data }) => new Map(data.map(({ severity_id: id, severity_name: name }) => [id, name])));
      known = await severities;
    },
    severity: ({ severity, id }) => severity?.severity_name ?? known.get(id ?? Number.NaN) ?? "",
  };
}
