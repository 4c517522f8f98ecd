import { globSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/**
 * Bundles server/main.ts and the commands with their packages into a few files, of which a start loads two: decision
 * 43.
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../build/product", import.meta.url));

const programs = [
  "main",
  "commands/admin-create",
  "commands/audit-verify",
  "commands/engines-reseal",
  "commands/backup",
  "commands/restore",
  "commands/verify",
];

/** Native packages, those that look for their own files beside them, and those that only a bucket needs. */
const leftOutside = ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner", "pg-native", "piscina", "sharp"];

/** Our files keep finding what is beside their source, such as templates and threads. */
const whereTheSourceIs: Plugin = {
  name: "where-the-source-is",
  enforce: "pre",
  transform: {
    filter: { id: { exclude: /node_modules/ }, code: "import.meta.url" },
    handler: (code, id) => {
      const path = relative(folder, id).replaceAll("\\", "/");
      return { code: code.replaceAll("import.meta.url", `new URL("${path}", import.meta.url).href`), map: null };
    },
  },
};

/** Packages get no source map: one for them would take 60 MB in memory at the first error. */
const ownLinesOnly: Plugin = {
  name: "own-lines-only",
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: "" } }),
  },
};

/** pino asks once which line of the source called it: for that alone the source map would be read at each start. */
const noMapForPino: Plugin = {
  name: "no-map-for-pino",
  transform: {
    filter: { id: /\/pino\/lib\/caller\.js$/ },
    handler(code) {
      const unmapped = code.replace("return getCallSites()", "return getCallSites(8, { sourceMap: false })");
      if (unmapped === code)
        throw new Error("pino looks for its caller in another way: see whether it still reads the map.");
      return { code: unmapped, map: { mappings: "" } };
    },
  },
};

removeOlderParts();
await build({
  configFile: false,
  root,
  publicDir: false,
  logLevel: "warn",
  plugins: [whereTheSourceIs, noMapForPino, ownLinesOnly],
  ssr: { noExternal: true, external: leftOutside },
  build: {
    ssr: true,
    outDir: folder,
    // A product that runs during the build goes on loading its own chunks, which fit no other main.js.
    emptyOutDir: false,
    target: "node24",
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: programs.map((name) => `server/${name}.ts`),
      // All in one folder, because each file derives its source's address from its own. The log names errors by their
      // class, so names are kept.
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        keepNames: true,
        // A single character beyond ASCII would make V8 keep the whole file with two bytes a character: 4 MB more.
        charset: "ascii",
        comments: { legal: true, annotation: false, jsdoc: false },
        sourcemapExcludeSources: true,
      },
      // Directives such as "use client" mean nothing on the server.
      onwarn: (warning, tell) => void (warning.code === "MODULE_LEVEL_DIRECTIVE" || tell(warning)),
    },
  },
});

/** Keeps the chunks of the build before, however old: a running product may have been started from it. */
function removeOlderParts(): void {
  const builtBefore = statSync(join(folder, "main.js"), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  const oldest = Math.min(Date.now() - 86_400_000, builtBefore - 3_600_000);
  for (const path of globSync(join(folder, "*-*.js{,.map}"))) if (statSync(path).mtimeMs < oldest) rmSync(path);
}
