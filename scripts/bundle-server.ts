import { globSync, rmSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";

/** Writes server/main.ts and the commands with their packages into a few files, of which a start loads two: decision 43. */

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

/** Native ones, those that find files of their own beside them, and what only a bucket needs. */
const leftOutside = ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner", "pg-native", "piscina", "sharp"];

/** Files of ours go on finding what lies beside them, as templates and threads, by where their source is. */
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

/** Lines of packages stay as they are in the bundle: a map of them would take 60 MB in memory at the first error. */
const ownLinesOnly: Plugin = {
  name: "own-lines-only",
  transform: {
    filter: { id: /node_modules/ },
    handler: (code) => ({ code, map: { mappings: "" } }),
  },
};

/** pino asks who called it, once, by lines of the source: for that alone the map would be read at each start. */
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
    // A product that runs meanwhile goes on loading its own parts, which fit no other main.js.
    emptyOutDir: false,
    target: "node24",
    minify: false,
    sourcemap: true,
    rolldownOptions: {
      input: programs.map((name) => `server/${name}.ts`),
      // All in one folder, as each file's own address leads to the source.
      // The log names errors by their class.
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        keepNames: true,
        // A single letter beyond them would make V8 keep the whole file with two bytes a letter: 4 MB more.
        charset: "ascii",
        comments: { legal: true, annotation: false, jsdoc: false },
        sourcemapExcludeSources: true,
      },
      // What marks files for browsers means nothing here.
      onwarn: (warning, tell) => void (warning.code === "MODULE_LEVEL_DIRECTIVE" || tell(warning)),
    },
  },
});

/** Those of the build before stay, however old: what runs meanwhile was started from it. */
function removeOlderParts(): void {
  const builtBefore = statSync(join(folder, "main.js"), { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  const oldest = Math.min(Date.now() - 86_400_000, builtBefore - 3_600_000);
  for (const path of globSync(join(folder, "*-*.js{,.map}"))) if (statSync(path).mtimeMs < oldest) rmSync(path);
}
