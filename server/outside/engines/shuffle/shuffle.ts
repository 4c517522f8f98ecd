import { z } from "zod";
import { bearer, type EngineApi, openApi } from "../engine-api.ts";
import type { Batch, Binding, Engine, Finding } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { readRecords, severityWords, shortened, wordIn } from "../read-records.ts";
import { readSeconds } from "../read-time.ts";

/** Shuffle: notifications of its workflows are findings, and it can sign a person in. It reports no version. */
export function shuffleEngine(binding: Binding, { connection, called, now }: Surroundings): Engine {
  const organisation = binding.tenantKey ?? "";
  const api = openApi(connection, binding.address, bearer(binding.secret, { "Org-Id": organisation }), called, now);
  return {
    async probe() {
      await readNotifications(api, organisation, called);
      return { version: null, skewSeconds: api.skewSeconds() };
    },
    known: () => ({ version: null, skewSeconds: api.skewSeconds() }),
    inventory: null,
    reports: {
      async *findings() {
        const records = await readNotifications(api, organisation, called);
        const batch: Batch<Finding> = { ...readRecords(Notification, records, findingOf), cursor: "" };
        yield batch;
      },
      incidents: null,
    },
    remark: null,
    async signIn(email) {
      const { sso_url: address } = await api.post(SignIn, "/api/v1/orgs/sso/link", { email });
      return address && URL.canParse(address) && new URL(address).protocol === "https:" ? address : null;
    },
    close: () => connection.close(),
  };
}

const SignIn = z.object({ success: z.boolean(), sso_url: z.string().nullish() });

const Notifications = z.object({ success: z.boolean(), notifications: z.array(z.unknown()).nullish() });
const OfOrganisation = z.object({ org_id: z.string().nullish() });

async function readNotifications(api: EngineApi, organisation: string, called: string): Promise<unknown[]> {
  const { success, notifications } = await api.get(Notifications, "/api/v1/notifications");
  if (!success || !notifications)
    throw new EngineFailure("tenant", `${called} does not know this organization, or this key does not belong to it.`);
  for (const each of notifications) {
    const whose = OfOrganisation.safeParse(each).data?.org_id;
    if (whose && whose !== organisation)
      throw new EngineFailure(
        "tenant",
        `${called} answered with records of another customer, which were not taken in.`,
      );
  }
  return notifications;
}

const Notification = z.object({
  id: z.string().min(1),
  title: z.string().nullish(),
  created_at: z.number(),
  severity: z.string().nullish(),
  read: z.boolean().nullish(),
});

function findingOf({ id, title, created_at, severity, read }: z.output<typeof Notification>): Finding | null {
  const at = readSeconds(created_at);
  if (!at) return null;
  return {
    id,
    title: shortened(title ?? "A notification without a title"),
    severity: wordIn(severityWords, severity),
    rawSeverity: severity ?? "",
    state: read === true ? "closed" : read === false ? "open" : "unknown",
    at,
    firstResponseAt: null,
    deviceId: null,
    attack: [],
  };
}
