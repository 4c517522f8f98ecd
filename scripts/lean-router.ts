import { parseAst, type Plugin } from "vite";

/** What replaces the body of a function of React Router that this site never needs. */
type Emptied = Record<string, "nothing" | "no" | "refused">;

/**
 * Submissions, fetchers, prefetching, instrumentation, hot updates and lazily discovered routes: this site uses none of
 * them, yet the router's script brings them to each page, as its functions refer to each other. By module and function;
 * "refused" marks an entry point, which then throws.
 */
const unused: Record<string, Emptied> = {
  "lib/router/instrumentation.js": {
    consumeInstrumentationClientResultMetaReceiver: "nothing",
    getRouteInstrumentationUpdates: "refused",
    instrumentClientSideRouter: "refused",
  },
  "lib/dom/ssr/fog-of-war.js": {
    isFogOfWarEnabled: "no",
    getPatchRoutesOnNavigationFunction: "nothing",
    useFogOFWarDiscovery: "nothing",
  },
  "lib/dom/ssr/components.js": { PrefetchPageLinks: "refused" },
  "lib/dom/ssr/routes.js": {
    createClientRoutesWithHMRRevalidationOptOut: "refused",
    wrapShouldRevalidateForHdr: "refused",
  },
  "lib/dom/ssr/single-fetch.js": {
    singleFetchActionStrategy: "refused",
    singleFetchLoaderFetcherStrategy: "refused",
    nonSsrStrategy: "refused",
  },
  "lib/router/router.js": {
    handleAction: "refused",
    handleFetcherAction: "refused",
    handleFetcherLoader: "refused",
    getInstrumentationNavigateMeta: "refused",
    discoverRoutes: "refused",
    patchRoutesImpl: "refused",
    fetch: "refused",
  },
};
const bodies = { nothing: "{}", no: "{ return false }", refused: "{ throw Error(`left out by lean-router.ts`) }" };

/**
 * When the script of a screen is gone, as after a deploy, the router reloads the page that is being left. This takes
 * the visitor to the page they were going to.
 */
const goneModule = "lib/dom/ssr/routeModules.js";
const reload = "window.location.reload();";
const goOn = `{
  const to = window.__reactRouterDataRouter?.state.navigation.location;
  if (to) window.location.assign(to.pathname + to.search + to.hash);
  else ${reload}
}`;

/** Applies both changes to the browser's build. If the router's code no longer matches, the build fails. */
export function leanRouter(): Plugin {
  const root = /node_modules\/react-router\/dist\/production\/(.+)$/;
  return {
    name: "lean-router",
    apply: "build",
    applyToEnvironment: ({ name }) => name === "client",
    transform(code, id) {
      const module = root.exec(id.replaceAll("\\", "/"))?.[1] ?? "";
      if (module === goneModule) return { code: replaceOnce(code, reload, goOn), map: null };
      const emptied = unused[module];
      return emptied ? { code: emptyFunctions(code, emptied), map: null } : null;
    },
  };
}

interface Manifest {
  entry: { imports: string[] };
  routes: Record<string, { parentId?: string; imports?: string[] }>;
}

/**
 * The browser's list of all routes and their files. The files of a route's parents, and those that every page starts
 * with, are named only once there.
 */
export function leanManifest(code: string): string {
  const start = code.indexOf("{");
  const end = code.lastIndexOf("}") + 1;
  const manifest = JSON.parse(code.slice(start, end)) as Manifest;
  const routes = Object.entries(manifest.routes).map(([name, route]) => {
    const there = new Set(manifest.entry.imports);
    for (let above = route.parentId; above; above = manifest.routes[above]?.parentId)
      for (const file of manifest.routes[above]?.imports ?? []) there.add(file);
    return [name, { ...route, imports: route.imports?.filter((file) => !there.has(file)) }] as const;
  });
  return code.slice(0, start) + JSON.stringify({ ...manifest, routes: Object.fromEntries(routes) }) + code.slice(end);
}

/** @throws when `text` does not occur exactly once */
export function replaceOnce(code: string, text: string, by: string): string {
  if (code.split(text).length !== 2)
    throw new Error(`React Router has no single ${text} any more: see lean-router.ts.`);
  return code.replace(text, () => by);
}

/** @throws when one of them is not declared exactly once */
export function emptyFunctions(code: string, emptied: Emptied): string {
  const found = functionsIn(parseAst(code)).filter(({ name }) => name in emptied);
  const missing = Object.keys(emptied).filter((name) => found.filter((one) => one.name === name).length !== 1);
  if (missing.length > 0)
    throw new Error(`React Router has no single ${missing.join(", ")} any more: see lean-router.ts.`);
  return found
    .toSorted((a, b) => b.start - a.start)
    .reduce(
      (left, { name, start, end }) => left.slice(0, start) + bodies[emptied[name] ?? "refused"] + left.slice(end),
      code,
    );
}

/** Every function declaration, with the place of its body. */
function functionsIn(node: unknown): { name: string; start: number; end: number }[] {
  if (typeof node !== "object" || node === null) return [];
  const within = Object.values(node).flatMap(functionsIn);
  const { type, id, body } = node as { type?: string; id?: { name: string }; body?: { start: number; end: number } };
  return type === "FunctionDeclaration" && id && body
    ? [{ name: id.name, start: body.start, end: body.end }, ...within]
    : within;
}
