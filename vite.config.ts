import { reactRouter } from "@react-router/dev/vite";
import { defineConfig } from "vite";
import { leanRouter } from "./scripts/lean-router.ts";
import { writtenValues } from "./scripts/written-values.ts";

const server = "http://127.0.0.1:3001";

// Code that many pages need goes into a few files rather than sixty small ones: it compresses better, and the list of
// what each page needs stays short. A group includes what its files import, except what an earlier group has.
const groups = [
  { name: "platform", test: /node_modules[\\/](react|react-dom|scheduler|react-router)[\\/]/ },
  {
    name: "site",
    test: /[\\/](app[\\/](root|session|toast|components[\\/](later|logo|display|still-loading|text-field|use-hydrated)|public[\\/]frame[\\/]route-failure)|contract[\\/](brand|format-count|messages|limits))\./,
  },
  { name: "frame", test: /[\\/]app[\\/]public[\\/]frame[\\/](site-|action-bar)/ },
  { name: "article", test: /[\\/]app[\\/]public[\\/](blog[\\/]article-placeholder|blog-post[\\/]article)\./ },
  { name: "look", test: /[\\/]app[\\/]styles-(mantine|theme)\.css/ },
  {
    name: "parts",
    test: /[\\/](app[\\/](components[\\/]app-providers|lists[\\/](list-state|use-address)|api)\.|@mantine[\\/]core[\\/]esm[\\/]components[\\/](ActionIcon|Alert|Anchor|Button|Group|Paper|Skeleton|Stack|Text|Title)[\\/]|@mantine[\\/]hooks[\\/]esm[\\/](utils[\\/])?use-(callback-ref|debounced-callback|merged-ref|uncontrolled)[\\/]|@tanstack[\\/]react-query[\\/]build[\\/]modern[\\/]use(InfiniteQuery|Mutation|Query)\.)/,
  },
  { name: "scrolled", test: /[\\/]app[\\/]lists[\\/](first-node|load-failure|more-on-scroll)\./ },
  { name: "user-menu", test: /[\\/]app[\\/]portal[\\/]user-menu\.tsx/ },
  {
    name: "portal",
    test: /[\\/](app[\\/](portal[\\/]dashboard-layout|admin[\\/]actions[\\/]use-queue-counts|lists[\\/](list-body|show-total|use-list)|components[\\/](email-address|long-text|number-and-date|page-title|panel-section|state-badge))\.|Icon(AlertTriangle|Calculator|CoinRupee|Contract|FileInvoice|FileText|Gavel|History|LayoutDashboard|ReceiptTax|Settings|ShieldCheck|Speakerphone|UserCog|Users)\.mjs)/,
  },
  { name: "lists", test: /[\\/]app[\\/]lists[\\/](list-page|list-section)\./ },
  { name: "copy", test: /[\\/]app[\\/](billing[\\/]bank-facts|components[\\/]copy-text)\./ },
  { name: "months", test: /[\\/]app[\\/]reports[\\/]month-(figure|charts)\./ },
  {
    name: "fields",
    test: /@mantine[\\/]core[\\/]esm[\\/]components[\\/](Input|InputBase|TextInput)[\\/]|[\\/]app[\\/]components[\\/]refusal\./,
  },
  {
    name: "service",
    test: /[\\/](contract[\\/]incident-states|app[\\/](incidents[\\/]use-now|coverage[\\/]coverage-readers))\./,
  },
];

// Each page brings the list of all files, which is mostly hashes: 28 bits suffice to tell a file's versions apart.
const shortName = "assets/[name]-[hash:7]";
const assetNames = { hashCharacters: "hex", assetFileNames: `${shortName}[extname]` } as const;
const shortNames = { ...assetNames, entryFileNames: `${shortName}.js`, chunkFileNames: `${shortName}.js` };

export default defineConfig(({ command }) => ({
  plugins: [reactRouter(), leanRouter(), writtenValues()],
  // The page renderer is bundled whole: at run time it needs none of the site's packages, and loads only what is used
  // of them.
  ...(command === "build" && { ssr: { noExternal: true } }),
  environments: {
    client: { build: { rolldownOptions: { output: { ...shortNames, codeSplitting: { groups } } } } },
    // Rendered pages name the files of the browser's build. The renderer itself is ASCII, as is the server's bundle.
    ssr: {
      build: {
        chunkSizeWarningLimit: 2000,
        rolldownOptions: {
          output: { ...assetNames, charset: "ascii", comments: { legal: true, annotation: false, jsdoc: false } },
        },
      },
    },
  },
  build: {
    target: "es2023",
    // Large because of the rich-text editor, which is loaded only where an article is written.
    chunkSizeWarningLimit: 700,
    assetsInlineLimit: 0,
    // The server's bundle is in the same folder: scripts/run.mjs removes the site's files.
    emptyOutDir: false,
  },
  server: {
    port: 3000,
    strictPort: true,
    proxy: Object.fromEntries(
      ["/api", "/dev", "/sandbox", "/health", "/readyz", "/metrics", "/images/articles"].map((path) => [path, server]),
    ),
  },
}));
