import { z } from "zod";
import { bearer, type EngineApi, openApi } from "../engine-api.ts";
import type { Binding, Engine } from "../engine.ts";
import { EngineFailure } from "../engine-failure.ts";
import type { Surroundings } from "../engines.ts";
import { walkAlerts } from "./alerts.ts";
import { walkCases } from "./cases.ts";
import { writeEvent } from "./write-event.ts";
import { openNames } from "./names.ts";

/** DFIR-IRIS 2.4 by its API 2.0.4: alerts are findings, cases are incidents. */
export function irisEngine(binding: Binding, surroundings: Surroundings): Engine {
  const { connection, called, now } = surroundings;
  const api = openApi(connection, binding.address, bearer(binding.secret), called, now);
  const names = openNames(api);
  let customer: Promise<number> | null = null;
  let version: string | null = null;
  const checkVersion = async () => (version = await readVersion(api, called));
  const customerId = () => (customer ??= findCustomer(api, binding.tenantKey ?? "", called));
  return {
    async probe() {
      await checkVersion();
      await customerId();
      return { version, skewSeconds: api.skewSeconds() };
    },
    known: () => ({ version, skewSeconds: api.skewSeconds() }),
    inventory: null,
    reports: {
      async *findings(since) {
        await checkVersion();
        yield* walkAlerts(api, names, await customerId(), since, { called, now: now() });
      },
      async *incidents({ cursor }) {
        await checkVersion();
        yield* walkCases(api, names, await customerId(), { cursor, called });
      },
    },
    remark: (remark) => writeEvent(api, remark),
    signIn: null,
    close: () => connection.close(),
  };
}

const Versions = z.object({
  data: z.object({ iris_current: z.string().nullish(), api_current: z.string().nullish() }),
});

async function readVersion(api: EngineApi, called: string): Promise<string> {
  const { data } = await api.get(Versions, "/api/versions");
  const version = data.iris_current?.replace(/^v/i, "") ?? "";
  if (/^2\.4(\.|$)/.test(version)) return version;
  const told = /^[\w.-]{1,20}$/.test(version) ? version : "that can't be read";
  throw new EngineFailure("version", `A DFIR-IRIS of version ${told} answers there; what is known here is ${called}.`);
}

const Customers = z.object({
  data: z.array(z.object({ customer_id: z.number(), customer_name: z.string().nullish() })),
});

/** Finds a customer by number or name. One that this user is not linked to counts as missing. */
async function findCustomer(api: EngineApi, key: string, called: string): Promise<number> {
  const { data } = await api.get(Customers, "/manage/customers/list");
  const found = data.find(
    ({ customer_id: id, customer_name: name }) => String(id) === key || name?.toLowerCase() === key.toLowerCase(),
  );
  if (found) return found.customer_id;
  throw new EngineFailure(
    "tenant",
    `${called} shows this user no customer of that number or name. Link the user to the customer there.`,
  );
}
