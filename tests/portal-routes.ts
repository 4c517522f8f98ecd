import type { RouteConfigEntry } from "@react-router/dev/routes";
import routes from "../app/routes.ts";
import { areaOf, type Role, roles } from "../contract/roles.ts";

/** The roles that may stay on a route, where those are not all of its area. */
const narrower: Record<string, readonly Role[]> = {
  "/user/estimator": ["user"],
  "/user/myuser": ["user"],
  "/partner/addmyuser": ["partner"],
  "/admin/addmyuser": ["admin"],
};

/** Every route of the portals as the application declares them, with the roles that may stay on it. */
export const portalRoutes: Record<string, readonly Role[]> = Object.fromEntries(
  addressesOf(routes)
    .filter((path) => /^\/(user|partner|admin|partner-dashboard)\b/.test(path))
    .map((path) => [path, narrower[path] ?? roles.filter((role) => areaOf(role) === areaOfRoute(path))]),
);

/** Administrators look at a partner's dashboard under this address. */
function areaOfRoute(path: string): string | undefined {
  return path.startsWith("/partner-dashboard/") ? "admin" : path.split("/")[1];
}

function addressesOf(entries: readonly RouteConfigEntry[], base = ""): string[] {
  return entries.flatMap(({ path, index, children }) => {
    const here = path ? `${base}/${path}` : base;
    if (children) return addressesOf(children, here);
    // The id of an incident that does not exist.
    const shown = here.replace(":email", "nobody@example.in").replace(":id", "00000000-0000-4000-8000-000000000000");
    return path || index ? [shown] : [];
  });
}
