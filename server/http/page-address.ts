import { matchRoutes, type RouteObject, type ServerBuild } from "react-router";

/** Gives the address under which a page is rendered and kept. */
export type AddressOf = (pathname: string, search: string) => string;

/**
 * Keeps only the query parameters that the page reads while it is rendered, which its route names in `handle = {
 * search: [...] }`, sorted; other parameters don't create pages of their own.
 */
export function pageAddresses(build: ServerBuild): AddressOf {
  const routes = routesUnder(build, undefined);
  return (pathname, search) => {
    const path = pathname.replace(/(?<=.)\/$/, "");
    if (search === "") return path;
    // The router in the browser fetches the same page as data, for the routes it names.
    const page = path.replace(/\.data$/, "");
    const known = new Set(page === path ? [] : ["_routes"]);
    for (const { route } of matchRoutes(routes, page) ?? [])
      for (const name of searchOf(build.routes[route.id ?? ""]?.module.handle)) known.add(name);
    const params = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => known.has(name)));
    params.sort();
    return params.size > 0 ? `${path}?${params}` : path;
  };
}

function routesUnder(build: ServerBuild, parentId: string | undefined): RouteObject[] {
  return Object.values(build.routes)
    .filter((route) => route !== undefined)
    .filter((route) => route.parentId === parentId)
    .map(({ id, path, index }) =>
      index ? { id, index: true } : { id, ...(path !== undefined && { path }), children: routesUnder(build, id) },
    );
}

function searchOf(handle: unknown): string[] {
  if (typeof handle !== "object" || handle === null || !("search" in handle)) return [];
  return handle.search as string[];
}
