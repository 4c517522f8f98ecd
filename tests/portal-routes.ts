import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../app/routes.ts";
import { areaOf, type Role, roles } from "../contract/roles.ts";

/** Who may stay on a route, where it is not everybody of its area. */
const narrower: Record<string, readonly Role[]> = {
  "/user/estimator": ["user"],
  "/user/myuser": ["user"],
  "/partner/addmyuser": ["partner"],
  "/admin/addmyuser": ["admin"],
};

/** Every route of the portals, as the application declares them, and who may stay on it. */
export const portalRoutes: Record<string, readonly Role[]> = Object.fromEntries(
  addressesOf(routes)
    .filter((path) => /^\/(user|partner|admin|partner-dashboard)\b/.test(path))
    .map((path) => [path, narrower[path] ?? roles.filter((role) => areaOf(role) === areaOfRoute(path))]),
);

/** Administrators look at a partner's dashboard. */
function areaOfRoute(path: string): string | undefined {
  return path.startsWith("/partner-dashboard/") ? "admin" : path.split("/")[1];
}

function addressesOf(entries: readonly RouteConfigEntry[], base = ""): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${base}/${path}` : base;
    if (children) return addressesOf(children, here);
    // An incident that is there for nobody.
    const shown = here.replace(":email", "nobody@example.in").replace(":id", "00000000-0000-4000-8000-000000000000");
    return path || index ? [shown] : [];
  });
}
