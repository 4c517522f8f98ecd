import { sql } from "drizzle-orm";
import type { Reach } from "../../contract/access.ts";
import { areaOf } from "../../contract/roles.ts";
import type { Scope } from "../access/scope.ts";
import { isMovedAside } from "./moved-aside.ts";
import { type EnginePages, type InEngine, pageIn } from "../outside/engines/pages.ts";

interface ShownPages extends EnginePages {
  opensToCustomer: boolean;
}

/** SQL for the pages of a joined binding; null where none is joined or it was removed. */
export const pagesOfBinding = sql<ShownPages | null>`case when engine_bindings.removed_at is null and
  engine_bindings.id is not null then json_build_object('kind', engine_bindings.kind, 'address', engine_bindings.address,
    'dashboardAddress', engine_bindings.dashboard_address, 'engineVersion', engine_bindings.engine_version,
    'opensToCustomer', engine_bindings.opens_to_customer) end`;

/**
 * The address at which the user can open a record in its engine: always for our staff, for customers where the binding
 * allows it.
 */
export function pageFor({ actor }: Scope<Reach>, pages: ShownPages | null, what: InEngine): string | null {
  const area = areaOf(actor.role);
  const mayOpen = area === "admin" || (area === "user" && pages?.opensToCustomer);
  return pages && mayOpen && !isMovedAside(what.id) ? pageIn(pages, what) : null;
}
